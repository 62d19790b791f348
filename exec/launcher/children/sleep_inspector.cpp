// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/sleep_inspector.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "debug/symbols/modules.hpp"
#include "debug/symbols/stacks.hpp"

namespace earl::exec {

namespace {

std::string text_of(pid_t pid, char const* name) {
  std::ifstream file(fmt::format("/proc/{}/{}", pid, name));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr int always = -1;  ///< no argument is a timeout

/// Where a process may sleep until another of the job acts: Earl's processes in a futex or, by the
/// back end, in poll; programs in calls that wait for signals.
struct Sleep {
  long call;
  int timeout;              ///< the argument that is one
  std::uint64_t unlimited;  ///< its value that means for ever
};
constexpr std::array sleeps{
    Sleep{SYS_futex, always, 0},
    Sleep{SYS_ppoll, 2, 0},
    Sleep{SYS_pselect6, 4, 0},
    Sleep{SYS_epoll_pwait, 3, 0xffff'ffff},
    Sleep{SYS_rt_sigsuspend, always, 0},
#ifdef SYS_poll  // later architectures of Linux have only the calls above
    Sleep{SYS_poll, 2, 0xffff'ffff},
    Sleep{SYS_select, 4, 0},
    Sleep{SYS_epoll_wait, 3, 0xffff'ffff},
    Sleep{SYS_pause, always, 0},
#endif
};

/// "number 0xargument ..." as /proc has it.
bool sleeps_for_ever(std::string const& syscall) {
  std::istringstream fields(syscall);
  long number = -1;
  if (!(fields >> number)) return false;
  auto const known = std::ranges::find(sleeps, number, &Sleep::call);
  if (known == sleeps.end()) return false;
  std::uint64_t argument = 0;
  fields >> std::hex;
  for (int i = 0; i <= known->timeout; ++i) fields >> argument;
  // Only the low half of an int counts.
  auto const mask = known->unlimited == 0 ? ~std::uint64_t{0} : known->unlimited;
  return known->timeout == always || (fields && (argument & mask) == known->unlimited);
}

std::uint64_t switches_of(pid_t pid) {
  constexpr std::string_view label = "\nvoluntary_ctxt_switches:";
  auto const status = text_of(pid, "status");
  auto const at = status.find(label);
  return at == std::string::npos ? 0 : std::strtoull(&status[at + label.size()], nullptr, 10);
}

/// The state letter and the CPU time used; '?' for a process that cannot be looked at.
std::pair<char, std::uint64_t> state_and_ticks(pid_t pid) {
  auto const facts = text_of(pid, "stat");
  auto const name_ends = facts.rfind(')');  // a name may hold anything
  if (name_ends == std::string::npos) return {'?', 0};
  std::istringstream fields(facts.substr(name_ends + 1));
  char state = 0;
  fields >> state;
  std::string ignored;
  for (int field = 4; field < 14; ++field) fields >> ignored;
  std::uint64_t user = 0;
  std::uint64_t system = 0;
  fields >> user >> system;
  return {fields || state == 'Z' ? state : '?', user + system};
}

bool reads_standard_input(std::string const& syscall) {
  std::istringstream fields(syscall);
  long number = -1;
  std::uint64_t descriptor = 1;
  return fields >> number >> std::hex >> descriptor && number == SYS_read && descriptor == 0;
}

/// False for the system calls that fail with EINTR after any stop (signal(7)): an old program may
/// not expect that.
bool starts_again(std::string const& syscall) {
  constexpr std::array fragile{
#ifdef SYS_epoll_wait
      SYS_epoll_wait,
#endif
      SYS_epoll_pwait, SYS_semop,  SYS_semtimedop,   SYS_rt_sigtimedwait,
      SYS_msgrcv,      SYS_msgsnd, SYS_io_getevents,
  };
  std::istringstream fields(syscall);
  long number = -1;
  return fields >> number && std::ranges::find(fragile, number) == fragile.end();
}

}  // namespace

std::optional<SleepInspector::Trace> SleepInspector::asleep(pid_t pid) {
  auto const [state, ticks] = state_and_ticks(pid);
  if (state == 'Z') return Trace{};
  if (state != 'S' || !sleeps_for_ever(text_of(pid, "syscall"))) return std::nullopt;
  return Trace{.ticks = ticks, .switches = switches_of(pid)};
}

std::optional<SleepInspector::Trace> SleepInspector::sleeps(pid_t process) {
  auto const [state, ticks] = state_and_ticks(process);
  if (state != 'S' || reads_standard_input(text_of(process, "syscall"))) return std::nullopt;
  return Trace{.ticks = ticks, .switches = switches_of(process)};
}

void SleepInspector::look_into(pid_t process, std::chrono::milliseconds most, Report& report) {
  if (!starts_again(text_of(process, "syscall"))) return;
  auto stack = symbols::stack_of(process, most);
  auto const first = std::ranges::find_if(stack, symbols::is_of_program);
  if (first == stack.end()) return;
  auto const& innermost = stack.front();
  if (first != stack.begin())
    report.call = symbols::function_of(innermost.module, innermost.offset);
  stack.erase(stack.begin(), first);
  stack.resize(std::min(stack.size(), Report::most_frames));
  report.stack = std::move(stack);
}

bool SleepInspector::holds(pid_t process) {
  auto const now = asleep(process);
  bool const same = now && process == process_ && now == before_;
  process_ = process;
  before_ = now;
  return same;
}

}  // namespace earl::exec
