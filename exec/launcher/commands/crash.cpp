// SPDX-License-Identifier: BSD-3-Clause
/// Reports the place of a crash on behalf of the process that crashed. That process starts this
/// command from its signal handler, where it cannot look the place up itself, and waits; not a
/// command for users.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>

#include "debug/symbols/stacks.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/plan.hpp"
#include "exec/runtime/control.hpp"

namespace earl::exec {

namespace {

constexpr unsigned most_seconds = 5;
constexpr std::chrono::milliseconds time_to_inspect{2000};

std::uintptr_t address_in(std::string const& word) {
  std::uintptr_t number = 0;
  auto const* const end = word.data() + word.size();
  auto const parsed = std::from_chars(word.data(), end, number);
  if (word.empty() || parsed.ec != std::errc{} || parsed.ptr != end)
    throw UsageError("internal command: a process that crashes starts it");
  return number;
}

/// Where the system does not allow ptrace, the place alone.
std::vector<Frame> stack_of_crash(pid_t thread, std::uintptr_t address) {
  auto stack = symbols::interrupted_stack_of(thread, time_to_inspect);
  if (stack.empty()) stack.push_back(symbols::frame_in(thread, address + 1));
  return stack;
}

/// Begins with the program's call, not within the C library's abort().
void leave_out_abort(std::vector<Frame>& stack) {
  auto const caller = std::ranges::find_if(stack, symbols::is_of_program);
  if (caller != stack.end()) stack.erase(stack.begin(), caller);
}

void report(int line, int exit_code, std::string sentence) {
  auto const body = control::body_of(
      control::FailureReport{.exit_code = exit_code, .sentence = std::move(sentence)});
  for (auto const& packet : control::packets_of(control::Type::failure_report, 0, 0, body.bytes()))
    if (send_packet(line, packet.bytes(), {}, 0) != 0) return;
}

}  // namespace

int crash_report_command(std::vector<std::string> const& arguments) {
  if (arguments.size() != 4) static_cast<void>(address_in({}));
  auto const line = static_cast<int>(address_in(arguments[0]));
  auto const signal = static_cast<int>(address_in(arguments[1]));
  auto const address = address_in(arguments[2]);
  auto const thread = static_cast<pid_t>(address_in(arguments[3]));
  if (!is_channel(line)) static_cast<void>(address_in({}));
  ::alarm(most_seconds);
  auto stack = stack_of_crash(thread, address);
  if (signal == SIGABRT) leave_out_abort(stack);
  report(line, 128 + signal, symbols::calls_text(stack));
  return 0;
}

}  // namespace earl::exec
