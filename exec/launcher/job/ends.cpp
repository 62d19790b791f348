// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "exec/launcher/children/guard.hpp"
#include "exec/launcher/front_ends.hpp"
#include "exec/launcher/job/job.hpp"
#include "exec/launcher/output/rank_files.hpp"
#include "generic/system/memory_damage.hpp"

namespace earl::exec {

namespace {

constexpr auto grace = std::chrono::seconds{1};  ///< between one signal and the next harder one
/// SIGCHLD says that a process died; one signal may stand for several, so look at all soon after.
constexpr auto scan_delay = std::chrono::milliseconds{10};
constexpr std::size_t most_zombies = 2048;
constexpr int exit_timeout = 124;
constexpr int exit_epipe = 128 + SIGPIPE;
/// The handling of a replay at the end of its recording.
constexpr int exit_cut = 85;
/// Earl's own verdicts (deadlock, divergence, refusal, damaged memory): they end a job of any front
/// end.
constexpr int first_verdict = 86;
constexpr int last_verdict = 89;

std::string signal_words(int number) {
  char const* name = ::sigabbrev_np(number);
  return name ? fmt::format("SIG{} ({})", name, ::strsignal(number))
              : fmt::format("signal {}", number);
}

/// Killed by a signal that some process of the job asked for.
bool asked_for(Child const& child) {
  if (!WIFSIGNALED(child.wait_status)) return false;
  auto const signal = WTERMSIG(child.wait_status);
  return signal < 64 && (child.asked_signals >> signal & 1) != 0;
}

/// It said why it ends, and was killed on its way out.
bool overtaken(Child const& child) { return child.failure_report && asked_for(child); }

int exit_code_of(Child const& child) {
  if (overtaken(child)) return child.failure_report->exit_code & 0xff;
  return WIFSIGNALED(child.wait_status) ? 128 + WTERMSIG(child.wait_status)
                                        : WEXITSTATUS(child.wait_status);
}

std::string how(Child const& child) {
  if (child.guest && !child.failure_report) return "has ended without a word";
  auto const killed = WIFSIGNALED(child.wait_status) && !overtaken(child);
  auto const end = killed ? "was killed by " + signal_words(WTERMSIG(child.wait_status))
                          : fmt::format("ended with code {}", exit_code_of(child));
  if (child.failure_report) return fmt::format("{}: {}", end, child.failure_report->sentence);
  if (child.distrusted) return end + " after its control channel was closed";
  return end;
}

/// It said why it ends, and that this is as it should be: a replay at the end of its recording.
bool explained(Child const& child) {
  return child.failure_report && !child.distrusted && exit_code_of(child) == exit_cut;
}

bool abnormal(Child const& child) {
  if (explained(child)) return false;
  if (child.failure_report || child.distrusted) return true;
  return WIFSIGNALED(child.wait_status) && !asked_for(child);
}

/// It has found damage, whose cause may be another process.
bool found_damage(Child const& child) {
  return child.failure_report && exit_code_of(child) == MemoryDamage::exit_code;
}

bool job_goes_on(Child const& child) {
  auto const code = exit_code_of(child);
  if (child.failure_report && code >= first_verdict && code <= last_verdict) return false;
  auto const* front_end = find_front_end(child.front_end);
  return front_end && front_end->death == DeathPolicy::others_live_on;
}

}  // namespace

void Job::say(std::string_view sentence) { output_.say(fmt::format("earl: {}\n", sentence)); }

std::string Job::describe(Child const& child) const {
  auto const* separator = child.front_end.empty() ? "" : ", ";
  return fmt::format("rank {} ({}{}{}){}", number(child.rank), child.program, separator,
                     child.front_end, place_of(child));
}

void Job::caught(Caught const& signal) {
  if (signal.number == SIGCHLD) {
    if (hosts_) hosts_->look_at_launchers();
    auto const found = by_pid_.find(signal.sender);
    if (housing_ && signal.sender == housing_->pid())
      look_at_shared_process();
    else if (found != by_pid_.end())
      look_at(child_at(found->second));
    else if (signal.sender != guard_)              // its pid keeps the group's number
      ::waitpid(signal.sender, nullptr, WNOHANG);  // a child that a node left behind
    if (!scan_due_) loop_.after(scan_delay, [this] { look_at_all(); });
    scan_due_ = true;
    return;
  }
  // At the terminal it is gdb that is meant.
  if (signal.number == SIGINT && plan_.gdb && signal.from_terminal) return;
  if (signal.number == SIGTSTP) {
    pause(signal.from_terminal);
    return;
  }
  if (ending_ != 0) {
    interrupted_ = true;
    signal_all(SIGKILL, false);  // the user is in a hurry
    return;
  }
  exit_code_ = 128 + signal.number;
  ending_ = signal.number;
  signal_all(signal.number, signal.from_terminal);
  loop_.after(grace, [this] { escalate(); });
}

/// Ctrl-Z: the terminal stops EXEC's group, and EXEC the others, until it goes on itself.
void Job::pause(bool terminal_did) {
  auto const since = Clock::now();
  if (group_ > 0) ::kill(-group_, SIGSTOP);
  for (auto const& [rank, child] : children_)
    if (child->alive && child->in_own_group && !terminal_did) ::kill(child->pid, SIGTSTP);
  if (hosts_) hosts_->signal_all(SIGSTOP);
  signals_.stop_here();
  if (hosts_) hosts_->signal_all(SIGCONT);
  for (auto const& [rank, child] : children_)
    if (child->alive && child->in_own_group) ::kill(child->pid, SIGCONT);
  if (group_ > 0) ::kill(-group_, SIGCONT);
  loop_.postpone(Clock::now() - since);  // --timeout means time the job could have used
}

void Job::look_at_all() {
  scan_due_ = false;
  if (hosts_) hosts_->look_at_launchers();
  for (auto const& [rank, child] : children_)
    if (child->alive) look_at(*child);
}

void Job::look_at(Child& child) {
  if (!child.alive || child.guest || child.forked || child.elsewhere) return;
  if (child.rank_channel) return look_at_shared_process();
  if (auto const status = wait_status_of(child.pid)) died(child, *status);
}

/// A process that waits for its end need not wait until others take its messages.
void Job::left(Child& child, int exit_code) {
  child.left = true;
  child.wait_status = (exit_code & 0xff) << 8;
  deaths_.push_back({.rank = child.rank, .wait_status = child.wait_status});
  // Its back end may keep it until all others have left, which may wait for it.
  if (child.failure_report) condemn(child);
  serve_waiting();
}

void Job::died(Child& child, int wait_status) {
  child.alive = false;
  child.wait_status = wait_status;
  quiescence_.disturbed();
  --alive_;
  // Its messages before its death count.
  channels_.drain(child);
  output_.drain(child.writer);
  bool const dismissed = ending_ != 0 || asked_for(child);
  if (asked_for(child))
    prepared_->killed(child.rank);
  else
    prepared_->ended(child.rank);
  // A process that EXEC or the job's own processes have ended has not failed.
  if (plan_.user_launcher)
    plan_.user_launcher->ended(child.rank, dismissed ? 0 : exit_code_of(child));
  roster_->set_life(child.rank, Life::ended);
  if (!child.left) deaths_.push_back({.rank = child.rank, .wait_status = wait_status});
  channels_.close(child);
  judge(child);
  child.outlets.reset();  // their reader waits for their end
  child.catcher.reset();
  limit_zombies();
  serve_waiting();
}

/// Zombies stay until no process has anything left of theirs (try_release()), so that no process's
/// memory is read by a pid that has become another's; but the system has only so many pids, and
/// some processes never look.
void Job::limit_zombies() {
  while (zombies_.size() > most_zombies) {
    auto const oldest = children_.find(zombies_.front());
    zombies_.pop_front();
    if (oldest != children_.end()) mark_ended(*oldest->second);
  }
}

void Job::mark_ended(Child const& child) {
  auto const known = by_pid_.find(child.pid);
  if (known == by_pid_.end() || known->second != child.rank) return;
  by_pid_.erase(known);
  ::waitpid(child.pid, nullptr, WNOHANG);
}

void Job::judge(Child& child) {
  if (child.console || child.refused) return;
  if (child.pid != group_ && !child.guest && !child.rank_channel) zombies_.push_back(child.rank);
  if (explained(child)) say(child.failure_report->sentence);
  condemn(child);
}

/// Says how it has failed, once, and ends the job unless its front end lives on.
void Job::condemn(Child& child) {
  if (ending_ != 0 || child.condemned || !abnormal(child)) return;
  child.condemned = true;
  if (session_server_ && !session_) return judge_kept(child);
  // A guest is judged by the user who started it.
  if (session_ && child.guest) return;
  auto const others = members() - (child.alive ? 1 : 0);
  if (session_ || job_goes_on(child)) {
    if (others != 0)
      say(fmt::format("{} {}; the job goes on", describe(child), how(child)));
    else
      say(fmt::format("{} {}", describe(child), how(child)));
    return;
  }
  auto const code = exit_code_of(child);
  // The user has not started this EXEC: a reader of the host's own sentence need not know that it
  // is there.
  if (child.guest && child.failure_report && others == 0) return end(code, SIGTERM);
  auto const rest = others == 0   ? std::string{"nobody else was left"}
                    : others == 1 ? std::string{"the other process is ended"}
                                  : fmt::format("the other {} processes are ended", others);
  if (found_damage(child))
    say(fmt::format("{}; {}", child.failure_report->sentence, rest));
  else
    say(fmt::format("{} {}; {}", describe(child), how(child), rest));
  bool const asked = child.failure_report && child.failure_report->exit_code == 0;
  end(code == 0 && !asked ? 1 : code, SIGTERM);  // MPI_Abort may ask for 0
}

/// A session server lives on, and so does a cube whose host has ended; a node takes its cube along.
void Job::judge_kept(Child const& child) {
  if (child.guest) return;
  auto const line = fmt::format("earl: {} {}; the other nodes of its cube are ended\n",
                                describe(child), how(child));
  if (child.outlets) [[maybe_unused]]
    auto const written = ::write((*child.outlets)[1].get(), line.data(), line.size());
  end_processes({.partition = roster_->at(child.rank).partition});
}

void Job::end(int exit_code, int signal) {
  if (ending_ != 0) return;
  if (!exit_code_) exit_code_ = exit_code;
  ending_ = signal;
  signal_all(signal, false);
  loop_.after(grace, [this] { escalate(); });
}

void Job::escalate() {
  if (members() == 0 || ending_ == SIGKILL) return;
  ending_ = ending_ == SIGTERM ? SIGKILL : SIGTERM;
  signal_all(ending_, false);
  loop_.after(grace, [this] { escalate(); });
}

/// To every process of the job and their forked children. A signal that the terminal has sent
/// already is not sent twice.
void Job::signal_all(int signal, bool terminal_did) {
  close_door();
  if (group_ > 0) {
    ::kill(-group_, signal);
    ::kill(-group_, SIGCONT);  // a stopped process handles no other signal
  }
  if (hosts_) hosts_->signal_all(signal);
  // An agent may still wait for the processes that the back end was to start there.
  if (hosts_ && signal == SIGKILL) shut_machine();
  for (auto const& [rank, child] : children_) {
    if (child->alive && child->in_own_group && !terminal_did) ::kill(child->pid, signal);
    if (child->alive && child->guest) end_guest(*child, signal);
    if (child->alive && child->forked)  // it may be in another group
      ::syscall(SYS_pidfd_send_signal, child->registered_handle.get(), signal, nullptr, 0);
  }
}

void Job::output_broken(Stream stream, int number) {
  if (number == EPIPE) {
    end(exit_epipe, SIGTERM);
    return;
  }
  if (stream == Stream::out)
    say(fmt::format("standard output cannot be written: {}; the job is ended",
                    system_message(number)));
  end(1, SIGTERM);
}

void Job::out_of_time() {
  if (ending_ != 0) return;
  say(fmt::format("the job has not ended after {} seconds (--timeout): it is ended now",
                  plan_.timeout->count()));
  end(exit_timeout, SIGTERM);
}

int Job::run() {
  if (plan_.timeout)
    loop_.after(std::chrono::duration_cast<Clock::duration>(*plan_.timeout),
                [this] { out_of_time(); });
  try {
    if (hosts_) summon_hosts();
    if (ending_ == 0) start_initial();
  } catch (Refusal const& refusal) {
    say(refusal.what());
    end(refusal.exit_code(), SIGKILL);
  }
  // Only now: the first ranks are the job's own.
  if (listener_ && (!session_server_ || session_)) watch_listener();
  if (plan_.verbose && ending_ == 0) say(fmt::format("{} processes started on {}", alive_, way()));
  watch_for_standstill();
  while (!over()) loop_.turn();
  if (plan_.gdb) wait_for_gdb();
  return finish();
}

int Job::own_exit_code() const {
  if (exit_code_) return *exit_code_;
  if (children_.empty()) return 0;
  auto const& first = *children_.begin()->second;
  return asked_for(first) && !first.failure_report ? 0 : exit_code_of(first);
}

/// Ends the orphans of the job's processes; waits for it, but not for ever. The guard of an agent,
/// or of an EXEC among them, has that one's folder to remove first.
void Job::remove_stragglers() {
  auto const patient = Clock::now() + grace;
  auto const deadline = patient + grace;
  if (group_ > 0) ::kill(-group_, SIGKILL);
  for (;;) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    auto const left = adopts_ ? own_children() : std::vector<pid_t>{};
    if (left.empty() || Clock::now() > deadline) return;
    for (auto const pid : left)
      if (pid == guard_ || Clock::now() > patient || !is_guard(pid)) ::kill(pid, SIGKILL);
    loop_.after(std::chrono::milliseconds{2}, [] {});
    loop_.turn();
  }
}

/// Before stragglers are looked for: a machine may have processes of its own.
void Job::shut_machine() {
  if (prepared_->wait_fd() >= 0) loop_.forget(prepared_->wait_fd());
  prepared_ = std::make_unique<SpanningJob>();
}

/// Processes write their files themselves, and old programs do not look whether they could.
int Job::judge_files(int exit_code) {
  if (plan_.output_folder.empty() || !is_full(plan_.output_folder)) return exit_code;
  say(fmt::format("the disk that holds --output-dir {} is full: what the processes printed is cut",
                  plan_.output_folder));
  return exit_code == 0 ? 1 : exit_code;
}

int Job::finish() {
  if (ending_ == 0) ending_ = SIGKILL;  // from now on every signal means: at once
  disconnect_consoles();
  shut_machine();
  dismiss_hosts();
  remove_stragglers();
  output_.close();
  if (!told_.empty()) serve_waiting();
  for (auto const& output : told_) give_up_telling(*output);
  int code = own_exit_code();
  for (auto const& interceptor : interceptors_) code = interceptor->finished(code);
  code = judge_files(code);
  if (plan_.verbose)
    say(fmt::format("{} processes ended, exit code {}{}{}", roster_->given(), code,
                    dropped_ == 0 ? "" : fmt::format(", {} channels closed", dropped_),
                    rejected_connections() == 0
                        ? ""
                        : fmt::format(", {} connections rejected", rejected_connections())));
  while (!output_.flushed() && !interrupted_) loop_.turn();
  return exit_code_ && *exit_code_ == exit_epipe ? exit_epipe : code;
}

}  // namespace earl::exec
