// SPDX-License-Identifier: BSD-3-Clause
#include "backends/myrinet/cables/switches.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "backends/myrinet/cables/cable.hpp"
#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"
#include "generic/system/poll_until.hpp"
#include "generic/system/sockets.hpp"

namespace earl::myrinet::cables {

namespace {

/// For the watchdog to end.
constexpr std::chrono::seconds grace{3};

/// All that the watchdog and the switches are to know.
struct WatchedSwitches {
  std::string const& program;
  Memory& memory;
  int board = -1;
  std::vector<Descriptor> const& listeners;
  int errors = -1;
  pid_t parent = -1;
};

sigset_t supervisor_signals() {
  sigset_t set{};
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGTERM);
  ::sigaddset(&set, SIGCHLD);
  return set;
}

[[noreturn]] void become_switch(WatchedSwitches const& watched, std::size_t number,
                                pid_t watchdog) {
  prepare_for_command(watchdog);
  ::dup2(watched.errors, STDERR_FILENO);
  std::array<int, 3> const files{watched.memory.descriptor(), watched.board,
                                 watched.listeners[number].get()};
  for (int const file : files) ::fcntl(file, F_SETFD, 0);
  std::array<std::string, 5> arguments{watched.program};
  for (std::size_t i = 0; i < files.size(); ++i) arguments[i + 1] = std::to_string(files[i]);
  arguments.back() = std::to_string(number);
  std::array<char*, arguments.size() + 1> pointers{};
  for (std::size_t i = 0; i < arguments.size(); ++i) pointers[i] = arguments[i].data();
  ::execv(pointers[0], pointers.data());
  ::dprintf(STDERR_FILENO, "%s: %s\n", pointers[0], std::strerror(errno));
  ::_exit(127);
}

void say_end(WatchedSwitches const& watched, std::size_t number, int status) {
  auto const* const name = watched.memory.box(static_cast<std::uint32_t>(number)).name;
  if (WIFSIGNALED(status))
    ::dprintf(watched.errors, "switch %s was killed by signal %d (%s)\n", name, WTERMSIG(status),
              ::strsignal(WTERMSIG(status)));
  else
    ::dprintf(watched.errors, "switch %s ended with code %d\n", name, WEXITSTATUS(status));
}

/// Waits for the end of one of the switches, or until it is asked to end them: -1.
pid_t wait_for_end(WatchedSwitches const& watched, std::vector<pid_t> const& pids) {
  for (;;) {
    int signal = 0;
    auto const set = supervisor_signals();
    ::sigwait(&set, &signal);
    if (signal == SIGTERM) return -1;
    int status = 0;
    pid_t const ended = ::waitpid(-1, &status, WNOHANG);
    for (std::size_t number = 0; number < pids.size(); ++number)
      if (ended > 0 && pids[number] == ended) {
        say_end(watched, number, status);
        return ended;
      }
  }
}

/// Ends with its parent, when it is asked to, and with the first switch that does; no switch
/// outlives it.
[[noreturn]] void run_watchdog(WatchedSwitches const& watched) {
  ::prctl(PR_SET_NAME, "earl-myrinet");
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != watched.parent) ::_exit(1);
  ::setsid();
  ::signal(SIGCHLD, SIG_DFL);
  auto const set = supervisor_signals();
  ::sigprocmask(SIG_SETMASK, &set, nullptr);
  Descriptor const null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (int const fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null.get(), fd);
  pid_t const self = ::getpid();
  std::vector<pid_t> pids;
  for (std::size_t number = 0; number < watched.listeners.size(); ++number) {
    pids.push_back(::fork());
    if (pids.back() == 0) become_switch(watched, number, self);
    if (pids.back() < 0)
      ::dprintf(watched.errors, "no process for a switch: %s\n", std::strerror(errno));
    if (pids.back() < 0) ::_exit(1);
  }
  auto const first = wait_for_end(watched, pids);
  for (auto const pid : pids)
    if (pid != first) ::kill(pid, SIGKILL);
  while (::waitpid(-1, nullptr, 0) > 0) {
  }
  ::_exit(0);
}

}  // namespace

Switches::Switches(Memory& memory, tcp::Board& board, std::string const& program)
    : memory_(memory),
      board_(board),
      program_(program),
      errors_(::memfd_create("earl switches say", MFD_CLOEXEC)) {
  if (!errors_) throw Error("no memory for the switches' messages: {}", system_message(errno));
  ::fcntl(errors_.get(), F_SETFL, O_APPEND);
  for (std::uint32_t number = 0; number < memory.head().switches; ++number) {
    listeners_.push_back(listen_at("127.0.0.1"));
    board.set_address(node_of({End::a_switch, number, 0}, memory.capacity()),
                      to_text(own_end(listeners_.back().get())));
  }
  start();
}

void Switches::start() {
  pid_t const self = ::getpid();
  pid_t const watchdog = ::fork();
  if (watchdog == 0)
    run_watchdog({.program = program_,
                  .memory = memory_,
                  .board = board_.descriptor(),
                  .listeners = listeners_,
                  .errors = errors_.get(),
                  .parent = self});
  if (watchdog < 0) throw Error("no process for the switches: {}", system_message(errno));
  // A port must be closed once its switch has ended.
  listeners_.clear();
  ended_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, watchdog, 0)));
  if (!ended_) throw Error("the switches cannot be watched: {}", system_message(errno));
}

/// Not by its pid: EXEC may have reaped it already, and another may have that now.
Switches::~Switches() {
  auto const signal = [this](int number) {
    ::syscall(SYS_pidfd_send_signal, ended_.get(), number, nullptr, 0);
  };
  signal(SIGTERM);
  pollfd file{.fd = ended_.get(), .events = POLLIN, .revents = 0};
  if (poll_until({&file, 1}, Clock::now() + grace) <= 0) signal(SIGKILL);
  siginfo_t info{};
  ::waitid(P_PIDFD, static_cast<id_t>(ended_.get()), &info, WEXITED);
}

std::string Switches::error_summary() const {
  std::array<char, 512> room{};
  auto const size = ::pread(errors_.get(), room.data(), room.size(), 0);
  const std::string_view all{room.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
  auto const line = all.substr(0, all.find('\n'));
  return std::string{line.empty() ? "the watchdog of the switches has ended" : line};
}

}  // namespace earl::myrinet::cables
