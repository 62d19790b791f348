// SPDX-License-Identifier: BSD-3-Clause
/// A job from its start to its exit code.
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

#include "exec/launcher/children/child_end.hpp"
#include "exec/launcher/job/job.hpp"
#include "exec/launcher/output/rank_files.hpp"

namespace earl::exec {

namespace {

constexpr int exit_timeout = 124;
constexpr int exit_epipe = 128 + SIGPIPE;

std::string processes(std::size_t count) {
  return fmt::format("{} process{}", count, count == 1 ? "" : "es");
}

/// Before debuggers are asked: of the shutdown, else of the first process.
int exit_code_of_job(Shutdown const& shutdown, ChildTable const& children) {
  if (auto const code = shutdown.exit_code()) return *code;
  if (children.empty()) return 0;
  auto const& first = children.all().begin()->second;
  return killed_on_request(first) && !first.failure_report ? 0 : exit_code_of(first);
}

}  // namespace

void Job::keep(Descriptor listener, std::string_view name, std::uint32_t places) {
  partitions_.allocate(no_rank, {.name = std::string{name}, .places = places, .keep = true});
  guests_.keep(std::move(listener));
}

void Job::open_console() {
  if (shared_)
    throw UsageError("--console: no console can join a job on {}; --on shm has room for consoles",
                     plan_.back_end);
  guests_.open_console();
}

int Job::run() {
  if (plan_.timeout)
    loop_.after(std::chrono::duration_cast<Clock::duration>(*plan_.timeout),
                [this] { out_of_time(); });
  try {
    start();
  } catch (Refusal const& refusal) {
    report(refusal.what());
    shutdown_.begin(refusal.exit_code(), SIGKILL);
  }
  // Only now: the first ranks are the job's own.
  guests_.start();
  if (plan_.verbose && !ending())
    report(fmt::format("{} started on {}", processes(children_.alive()), remote_.back_end_text()));
  monitor_.start();
  while (!over()) loop_.turn();
  if (plan_.gdb && shared_) shared_->wait_for_gdb();
  return finish();
}

void Job::start() {
  if (remote_.used()) remote_.start_agents();
  if (ending()) return;
  initial_.start();
  if (shared_) shared_->begin();
}

bool Job::over() const {
  bool const serves =
      serving() == Serving::session || (serving() == Serving::partition && !partitions_.empty());
  return !has_members() && (ending() || !serves);
}

int Job::finish() {
  shutdown_.finish();
  guests_.disconnect_consoles();
  back_end_.close();
  remote_.dismiss();
  group_.remove_stragglers(loop_);
  output_.close();
  if (!delivery_.empty()) gate_.run();
  delivery_.give_up();
  ends_.report_cut_records();
  int code = interceptors_.finished(exit_code_of_job(shutdown_, children_));
  // Processes write their files themselves, and old programs do not look whether they could.
  if (!plan_.output_folder.empty() && is_full(plan_.output_folder)) {
    report(fmt::format(
        "the disk that holds --output-dir {} is full: what the processes printed is cut",
        plan_.output_folder));
    if (code == 0) code = 1;
  }
  if (plan_.verbose) report_end(code);
  while (!output_.flushed() && !shutdown_.hurried()) loop_.turn();
  return shutdown_.exit_code() == exit_epipe ? exit_epipe : code;
}

void Job::report_end(int exit_code) {
  auto const rejected = remote_.rejected_connections();
  report(fmt::format("{} ended, exit code {}{}{}", processes(roster_.given()), exit_code,
                     dropped_ == 0 ? "" : fmt::format(", {} channels closed", dropped_),
                     rejected == 0 ? "" : fmt::format(", {} connections rejected", rejected)));
}

void Job::handle_signal(SignalEvent const& signal) {
  if (signal.number == SIGCHLD) return ends_.signalled(signal.sender);
  // At the terminal it is gdb that is meant.
  if (signal.number == SIGINT && plan_.gdb && signal.from_terminal) return;
  if (signal.number == SIGTSTP) return pause(signal.from_terminal);
  shutdown_.interrupted(signal.number, signal.from_terminal);
}

/// Ctrl-Z: the terminal stops EXEC's group, and EXEC the others, until it goes on itself.
void Job::pause(bool by_terminal) {
  auto const since = Clock::now();
  group_.signal(SIGSTOP);
  for (auto const& [rank, child] : children_.all())
    if (child.alive() && child.in_own_group && !by_terminal) ::kill(child.pid, SIGTSTP);
  remote_.signal_all(SIGSTOP);
  signals_.stop_here();
  remote_.signal_all(SIGCONT);
  for (auto const& [rank, child] : children_.all())
    if (child.alive() && child.in_own_group) ::kill(child.pid, SIGCONT);
  group_.signal(SIGCONT);
  loop_.postpone(Clock::now() - since);  // --timeout means time the job could have used
}

void Job::signal_all(int signal, bool by_terminal) {
  guests_.close_session();
  group_.signal(signal);
  group_.signal(SIGCONT);  // a stopped process takes no other signal
  remote_.signal_all(signal);
  // An agent may still wait for what the back end was to start there.
  if (remote_.used() && signal == SIGKILL) back_end_.close();
  for (auto& [rank, child] : children_.all()) {
    if (!child.alive()) continue;
    if (child.in_own_group && !by_terminal) ::kill(child.pid, signal);
    if (child.is_guest()) guests_.end(child, signal);
    if (child.is_forked())  // it may be in another group
      ::syscall(SYS_pidfd_send_signal, child.registered_handle.get(), signal, nullptr, 0);
  }
}

void Job::output_broken(Stream stream, int number) {
  if (number == EPIPE) return shutdown_.begin(exit_epipe, SIGTERM);
  if (stream == Stream::out)
    report(fmt::format("standard output cannot be written: {}; the job is terminated",
                       system_message(number)));
  end(1);
}

void Job::out_of_time() {
  if (ending()) return;
  report(fmt::format("the job has not ended after {} seconds (--timeout): it is ended now",
                     plan_.timeout->count()));
  end(exit_timeout);
}

void Job::end(int exit_code) { shutdown_.begin(exit_code, SIGTERM); }

}  // namespace earl::exec
