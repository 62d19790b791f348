// SPDX-License-Identifier: BSD-3-Clause
#include "exec/runtime/crash_report.hpp"

#include <execinfo.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <span>
#include <string>

#include "debug/registry.hpp"
#include "generic/system/instruction.hpp"

namespace earl::boot {

namespace {

constexpr std::array crash_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr std::size_t stack_size = std::size_t{256} << 10;
constexpr std::size_t most_callers = 8;
constexpr unsigned most_seconds = 5;

/// A handler has no other way to know them.
struct Reporter {
  ControlLine* line = nullptr;
  pid_t process = 0;  ///< a fork()ed child is none of the job's
};
Reporter reporter;

/// "work at ring.c:12". A return address is just behind its call.
std::string in_words(std::uintptr_t address) {
  auto const module = trace::module_at(reinterpret_cast<void const*>(address - 1));
  if (module.path.empty()) return "no code that is known";
  auto const line = trace::line_of(module.path, address - module.base);
  auto const function = trace::function_of(module.path, address - module.base);
  return function.empty() ? line : function + " at " + line;
}

bool in_program(std::uintptr_t address, std::string const& program) {
  return trace::module_at(reinterpret_cast<void const*>(address - 1)).path == program;
}

/// The place, and those of the program's functions that led there.
std::string story_of(std::uintptr_t where) {
  auto story = "in " + in_words(where + 1);
  std::array<void*, 64> frames{};
  auto const count = std::max(::backtrace(frames.data(), static_cast<int>(frames.size())), 0);
  auto const found = std::span{frames}.first(static_cast<std::size_t>(count));
  auto const first = std::ranges::find(found, reinterpret_cast<void*>(where));
  std::array<char, 4096> path{};
  auto const length = ::readlink("/proc/self/exe", path.data(), path.size());
  const std::string program(path.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  std::size_t callers = 0;
  for (auto frame = first; frame != found.end() && ++frame != found.end();) {
    auto const address = reinterpret_cast<std::uintptr_t>(*frame);
    if (!in_program(address, program)) continue;
    auto const caller = in_words(address);
    if (caller.starts_with("_start ")) break;
    if (++callers > most_callers) return story + ", and so on";
    story += ", called by " + caller;
  }
  return story;
}

/// Looks for the words where the process's own memory, which may be in disorder, takes no harm.
[[noreturn]] void say_in_child(int number, std::uintptr_t where) {
  for (int const signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
    ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::alarm(most_seconds);
  try {
    reporter.line->report_failure(128 + number, story_of(where));
  } catch (std::exception const&) {  // there is no other way to say it
  }
  ::_exit(0);
}

/// The faulting instruction runs again on return, and this time the default action ends the
/// process.
void crashed(int number, siginfo_t* facts, void* context) {
  if (facts->si_code <= 0) {  // sent by a process
    ::raise(number);
    return;
  }
  if (::getpid() != reporter.process) return;
  auto const child = ::_Fork();
  if (child == 0) say_in_child(number, interrupted_instruction(context));
  if (child > 0) ::waitpid(child, nullptr, 0);
}

}  // namespace

void report_crashes(ControlLine& line) {
  reporter = {.line = &line, .process = ::getpid()};
  struct sigaction action {};
  action.sa_sigaction = crashed;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  ::sigfillset(&action.sa_mask);
  for (int const number : crash_signals) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      ::sigaction(number, &action, nullptr);
  }
  stack_t before{};
  if (::sigaltstack(nullptr, &before) != 0 || (before.ss_flags & SS_DISABLE) == 0) return;
  void* const memory = ::mmap(nullptr, stack_size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t const stack{.ss_sp = memory, .ss_flags = 0, .ss_size = stack_size};
  ::sigaltstack(&stack, nullptr);
}

}  // namespace earl::boot
