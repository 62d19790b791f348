// SPDX-License-Identifier: BSD-3-Clause
#include "debug/breakpoints/stop_here.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <span>
#include <vector>

#include "debug/symbols/calls.hpp"
#include "debug/symbols/modules.hpp"
#include "generic/base/error.hpp"
#include "generic/system/descriptor.hpp"
#include "generic/system/read_file.hpp"

// gdb stops where these are, and says on its own when the process may go on.
extern "C" {
[[gnu::noinline, gnu::used]] void earl_replay_stopped_here() { asm volatile(""); }
int volatile earl_replay_waits_for_gdb = 0;
}

namespace earl::breakpoints {

namespace {

/// The calls at a return address, innermost first; none: it lies in no module.
std::vector<symbols::SourceCall> calls_behind(void const* address) {
  auto const module = symbols::module_at(address);
  if (module.path.empty()) return {};
  return symbols::calls_at(module.path, reinterpret_cast<std::uintptr_t>(address) - module.base);
}

std::string frame_text(void const* address) {
  auto const calls = calls_behind(address);
  if (calls.empty()) return "an unknown place";
  auto const& function = calls.back().function;
  return function.empty() ? calls.front().line
                          : fmt::format("{} in {}", calls.front().line, function);
}

/// The program's function that has made the API call.
std::string callers_function(DebuggedProcess const& process) {
  std::array<void const*, 1> room{};
  if (process.stack(room) == 0) return "main";
  auto const calls = calls_behind(room[0]);
  return calls.empty() || calls.back().function.empty() ? "main" : calls.back().function;
}

bool is_traced() {
  constexpr std::string_view field = "\nTracerPid:\t";
  auto const status = read_file("/proc/self/status").value_or("");
  auto const at = status.find(field);
  return at != std::string::npos && status.compare(at + field.size(), 2, "0\n") != 0;
}

/// In the child: the terminal is gdb's from now on.
void take_terminal(int terminal) {
  ::signal(SIGTTOU, SIG_IGN);
  ::setpgid(0, 0);
  ::tcsetpgrp(terminal, ::getpgrp());
  for (int const standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::dup2(terminal, standard);
  ::signal(SIGTTOU, SIG_DFL);
}

[[noreturn]] void become_gdb(int terminal, pid_t process, std::string const& sentence,
                             std::string const& function) {
  take_terminal(terminal);
  auto const pid = std::to_string(process);
  auto const greeting = "echo " + sentence + "\\n";
  auto const frame = "frame function " + function;
  const std::array<char const*, 19> command{"gdb",  "-q",
                                            "-iex", "set pagination off",
                                            "-p",   pid.c_str(),
                                            "-ex",  "tbreak earl_replay_stopped_here",
                                            "-ex",  "set variable earl_replay_waits_for_gdb = 0",
                                            "-ex",  "continue",
                                            "-ex",  greeting.c_str(),
                                            "-ex",  frame.c_str(),
                                            "-ex",  "set pagination on",
                                            nullptr};
  ::execvp("gdb", const_cast<char* const*>(command.data()));
  ::_exit(127);
}

void wait_for_attachment(pid_t gdb, int& status) {
  const timespec moment{.tv_sec = 0, .tv_nsec = 10'000'000};
  while (earl_replay_waits_for_gdb != 0 && ::waitpid(gdb, &status, WNOHANG) == 0)
    ::nanosleep(&moment, nullptr);
}

}  // namespace

std::string place_text(Call const& call, DebuggedProcess const& process) {
  std::array<void const*, 8> room{};
  auto const depth = process.stack(room);
  std::string text = call.name;
  for (std::size_t i = 0; i < depth; ++i) {
    auto const frame = frame_text(room[i]);
    text += (i == 0 ? " at " : ", called from ") + frame;
    if (frame.ends_with(" in main")) break;
  }
  return text;
}

void wait_until_traced() {
  const timespec moment{.tv_sec = 0, .tv_nsec = 1'000'000};
  while (!is_traced()) ::nanosleep(&moment, nullptr);
}

std::string let_gdb_look(std::string const& sentence, DebuggedProcess const& process) {
  if (is_traced()) {
    auto const line = fmt::format("earl: {}\n", sentence);
    [[maybe_unused]] auto const written = ::write(STDERR_FILENO, line.data(), line.size());
    ::raise(SIGTRAP);
    return "";
  }
  Descriptor const terminal(::open("/dev/tty", O_RDWR | O_CLOEXEC));
  if (!terminal) return "there is no terminal for gdb: " + system_message(errno);
  auto const before = ::tcgetpgrp(terminal.get());
  earl_replay_waits_for_gdb = 1;
  auto const self = ::getpid();
  auto const function = callers_function(process);
  auto const gdb = ::fork();
  if (gdb < 0) return "gdb: " + system_message(errno);
  if (gdb == 0) become_gdb(terminal.get(), self, sentence, function);
  ::prctl(PR_SET_PTRACER, gdb, 0, 0, 0);
  int status = 0;
  wait_for_attachment(gdb, status);
  earl_replay_stopped_here();
  while (::waitpid(gdb, &status, 0) < 0 && errno == EINTR) {
  }
  auto* const handler = ::signal(SIGTTOU, SIG_IGN);
  ::tcsetpgrp(terminal.get(), before);
  ::signal(SIGTTOU, handler);
  return WIFEXITED(status) && WEXITSTATUS(status) == 127
             ? "there is no gdb here; apt-get install gdb"
             : "";
}

}  // namespace earl::breakpoints
