#include "exec/agent/agent.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "exec/children/environment.hpp"
#include "exec/children/guard.hpp"
#include "exec/children/mark.hpp"
#include "exec/machine/processors.hpp"
#include "exec/output/rank_files.hpp"

namespace earl::exec {

namespace {

constexpr int least_control_number = 60;
/// One SIGCHLD may stand for several.
constexpr auto scan_delay = std::chrono::milliseconds{10};
constexpr auto between_pings = std::chrono::milliseconds{150};
constexpr auto patience = std::chrono::seconds{2};

rlimit raise_file_limit() {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  rlimit const raised{.rlim_cur = before.rlim_max, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &raised);
  return before;
}

std::array<Descriptor, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(Fault::full, "no pipe for one more process: {}", system_message(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

Agent::Agent(Descriptor to_exec)
    : signals_(loop_, [this](Caught const& signal) { caught(signal); }),
      line_(loop_, std::move(to_exec), *this),
      channels_(loop_, *this),
      outlets_(loop_, line_),
      null_(::open("/dev/null", O_RDONLY | O_CLOEXEC)),
      control_number_(::fcntl(null_.get(), F_DUPFD_CLOEXEC, least_control_number)),
      mark_(new_mark()) {
  inherited_ = {.mask = signals_.mask_before(), .files = raise_file_limit()};
  ::signal(SIGPIPE, SIG_IGN);
  // What a process forks and leaves behind becomes this process's child.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  guard_ = group_ = start_guard(mark_);
}

Agent::~Agent() {
  for (auto const& [rank, child] : children_) channels_.close(*child);
}

void Agent::run() {
  line_.say(control::Type::hello,
            control::Hello{.unix_pid = ::getpid(), .front_end = "agent"});
  ping();
  while (!over_) loop_.turn();
  remove_processes();
}

/// Has the system find out whether EXEC's host is still there.
void Agent::ping() {
  line_.ping();
  loop_.after(between_pings, [this] { ping(); });
}

void Agent::line_ended(std::string_view) { over_ = true; }

void Agent::line_said(control::Message message) {
  auto const body = message.body.bytes();
  if (message.type != control::Type::host && message.type != control::Type::ping && !words_)
    throw Error("orders before the host's words");
  switch (message.type) {
    case control::Type::host:
      return settle_in(control::read<control::HostWords>(body));
    case control::Type::rows:
      return table_changed(control::read<control::TableWords>(body));
    case control::Type::address: {
      auto const words = control::read<control::AddressWords>(body);
      return machines_->learn(words.rank, words.address);
    }
    case control::Type::program:
      program_ = control::read<control::ProgramWords>(body);
      return;
    case control::Type::launch:
      return start(control::read<control::LaunchWords>(body));
    case control::Type::passed:
      return passed(control::read<control::Passed>(body));
    case control::Type::signal:
      return signal(control::read<control::HouseWord>(body));
    case control::Type::input:
      return outlets_.feed(body);
    case control::Type::took:
      return outlets_.taken(
          static_cast<std::size_t>(control::read<control::HouseWord>(body).value));
    case control::Type::ping:
      return;
    default:
      throw Error("an order that no agent knows");
  }
}

void Agent::settle_in(control::HostWords words) {
  if (words_) throw Error("a host's words come once");
  if (words.packets != packet_version)
    throw Error("EXEC is of another version of Earl: its packets are {}, here {}", words.packets,
                packet_version);
  roster_ = std::make_unique<Roster>(words.capacity);
  machines_ = std::make_unique<Machines>(words, line_.own_address());
  if (!words.output_folder.empty()) make_output_folder(words.output_folder);
  words_ = std::move(words);
}

/// Processes here hear of ends elsewhere.
void Agent::table_changed(control::TableWords const& words) {
  auto const rank = roster_->copy_in(words.at, std::as_bytes(std::span{words.bytes}));
  if (rank && roster_->life(*rank) == Life::ended && roster_->at(*rank).host != words_->number)
    machines_->ended_elsewhere(*rank);
}

void Agent::refuse(Rank rank, int error) {
  line_.say(control::Type::refused,
            control::RefusalWords{
                .rank = rank,
                .error = error,
                .sentence = fmt::format("{} cannot be started: {}", program_->path,
                                        system_message(error))});
}

void Agent::start(control::LaunchWords const& words) {
  if (!program_ || !roster_->has(words.rank) || children_.contains(number(words.rank)))
    throw Error("rank {} cannot be started", number(words.rank));
  auto& child = *(children_[number(words.rank)] = std::make_unique<Child>());
  child.rank = words.rank;
  int error = 0;
  try {
    error = launch_child(child, words);
  } catch (Error const& failure) {
    line_.say(control::Type::refused,
              control::RefusalWords{
                  .rank = words.rank, .error = EAGAIN, .sentence = failure.what()});
    channels_.close(child);
    return;
  }
  if (error == 0) return;
  channels_.close(child);
  outlets_.drain(child.rank);
  refuse(child.rank, error);
}

/// A pipe that EXEC hears of, or the process's own file.
Descriptor Agent::way_out(Rank rank, int stream) {
  if (!words_->output_folder.empty())
    return open_rank_file(words_->output_folder, rank, stream == STDOUT_FILENO ? "out" : "err");
  auto ends = make_pipe();
  ::fcntl(ends[0].get(), F_SETFL, O_NONBLOCK);
  outlets_.add(rank, stream, std::move(ends[0]));
  return std::move(ends[1]);
}

/// Gives errno; 0: it runs.
int Agent::launch_child(Child& child, control::LaunchWords const& words) {
  std::uint32_t here = 0;
  auto handed = machines_->descriptors(child.rank, here);
  line_.say(control::Type::address, control::AddressWords{.rank = child.rank,
                                                          .address = machines_->address(child.rank)});
  handed.insert(handed.begin(), roster_->descriptor());
  auto const channel = channels_.open(child,
                                      {.rank = child.rank,
                                       .back_end = words_->back_end,
                                       .tools = words_->tools,
                                       .link = words_->link,
                                       .here = here},
                                      handed);
  auto const out = way_out(child.rank, STDOUT_FILENO);
  auto const error = way_out(child.rank, STDERR_FILENO);
  Descriptor in;
  if (words.reads) {
    auto ends = make_pipe();
    ::fcntl(ends[1].get(), F_SETFL, O_NONBLOCK);
    outlets_.feed_into(std::move(ends[1]));
    in = std::move(ends[0]);
  }
  auto environment = program_->environment;
  set(environment, fmt::format("{}={}", control::variable, control_number_.get()));
  set(environment, fmt::format("{}={}", control::rank_variable, number(child.rank)));
  set(environment, assignment_of(mark_));
  Launch what{.path = program_->path,
              .arguments = program_->arguments,
              .environment = std::move(environment),
              .folder = program_->folder,
              .in = in ? in.get() : null_.get(),
              .out = out.get(),
              .error = error.get(),
              .control = channel.get(),
              .control_number = control_number_.get(),
              .group = group_};
  if (!words.processors.empty()) what.processors = parse_processors(words.processors);
  auto const launched = launch(what, inherited_);
  if (launched.error != 0) return launched.error;
  if (group_ == new_group) group_ = launched.pid;
  child.pid = launched.pid;
  child.alive = true;
  by_pid_[child.pid] = &child;
  return 0;
}

/// Its pid is what the kernel says, not the packet.
bool Agent::relays(Child& child, control::Message& message) {
  if (message.type == control::Type::hello) {
    auto hello = control::read<control::Hello>(message.body.bytes());
    hello.unix_pid = child.speaker != 0 ? child.speaker : child.pid;
    child.registered_pid = hello.unix_pid;
    message.body = control::body_of(hello);
    machines_->registered(child.rank, hello.unix_pid);
  }
  line_.say(control::Type::passed,
            control::Passed{.rank = child.rank, .message = std::move(message)});
  return true;
}

/// EXEC hears of it by what it gets: bytes without sense end the process.
void Agent::distrusted(Child& child, std::string_view why) {
  line_.say(control::Type::printed,
            control::Printed{
                .rank = child.rank,
                .stream = STDERR_FILENO,
                .text = fmt::format("earl: rank {} wrote {} into its control channel\n",
                                    number(child.rank), why)});
  if (child.alive) ::kill(child.pid, SIGKILL);
}

void Agent::passed(control::Passed passed) {
  auto const found = children_.find(number(passed.rank));
  if (found == children_.end()) return;
  auto const& [type, ticket, operation, body] = passed.message;
  channels_.send(*found->second, type, ticket, operation, body.bytes());
}

void Agent::signal(control::HouseWord const& word) {
  if (word.rank == no_rank) {
    if (group_ <= 0) return;
    ::kill(-group_, word.value);
    ::kill(-group_, word.value == SIGSTOP ? 0 : SIGCONT);  // a stopped one hears nothing else
    return;
  }
  auto const found = children_.find(number(word.rank));
  if (found == children_.end() || !found->second->alive) return;
  auto const& child = *found->second;
  ::kill(child.registered_pid != 0 ? child.registered_pid : child.pid, word.value);
}

void Agent::caught(Caught const& signal) {
  if (signal.number == SIGTERM) over_ = true;
  if (signal.number != SIGCHLD) return;  // the terminal's, which EXEC hears, too
  if (!by_pid_.contains(signal.sender) && signal.sender != guard_)
    ::waitpid(signal.sender, nullptr, WNOHANG);  // somebody a process left behind
  look_at_all();
  if (!scan_due_)
    loop_.after(scan_delay, [this] {
      scan_due_ = false;
      look_at_all();
    });
  scan_due_ = true;
}

void Agent::look_at_all() {
  for (auto& [pid, child] : by_pid_)
    if (child->alive)
      if (auto const status = wait_status_of(pid)) died(*child, *status);
}

/// Zombies stay, so that nobody's memory is read by a pid that has become another's.
void Agent::died(Child& child, int wait_status) {
  child.alive = false;
  channels_.drain(child);
  outlets_.drain(child.rank);
  machines_->ended_here(child.rank);
  line_.say(control::Type::departed,
            control::HouseWord{.rank = child.rank, .value = wait_status});
  channels_.close(child);
}

/// Waits for their end, but not for ever.
void Agent::remove_processes() {
  auto const deadline = Clock::now() + patience;
  if (group_ > 0) ::kill(-group_, SIGKILL);
  for (;;) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    auto const left = own_children();
    if (left.empty() || Clock::now() > deadline) return;
    for (auto const pid : left) ::kill(pid, SIGKILL);
    loop_.after(std::chrono::milliseconds{2}, [] {});
    loop_.turn();
  }
}

}  // namespace earl::exec
