// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/child_end.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>

#include "exec/launcher/front_ends.hpp"
#include "generic/system/memory_damage.hpp"
#include "generic/system/signal_name.hpp"

namespace earl::exec {

namespace {

/// A replay has come to the end of its recording.
constexpr int exit_cut = 85;
/// The exit code of a replay at the call where it was asked to end.
constexpr int exit_stopped = 84;
/// Earl's own verdicts (end of a replay where it was asked to end, deadlock, divergence, refusal,
/// damaged memory): they end a job of any front end.
constexpr int first_verdict = exit_stopped;
constexpr int last_verdict = 89;

/// It reported why it ends, and was killed before it had ended.
bool overtaken(Child const& child) { return child.failure_report && killed_on_request(child); }

/// Its library says hello before main: the loader did not find a library, or a constructor has
/// ended the process. A wrapper may end in any way.
bool ended_before_hello(Child const& child) {
  bool const own_process =
      child.origin == Origin::remote || (child.origin == Origin::started && !child.rank_channel);
  return own_process && child.registered_pid == 0 && !child.front_end.empty() &&
         WIFEXITED(child.wait_status);
}

}  // namespace

std::string describe(Child const& child) {
  auto const* separator = child.front_end.empty() ? "" : ", ";
  auto const place = child.host.empty() ? std::string{} : " on host " + child.host;
  return fmt::format("rank {} ({}{}{}){}", number(child.rank), child.program, separator,
                     child.front_end, place);
}

bool killed_on_request(Child const& child) {
  if (!WIFSIGNALED(child.wait_status)) return false;
  auto const signal = WTERMSIG(child.wait_status);
  return signal < 64 && (child.asked_signals >> signal & 1) != 0;
}

int exit_code_of(Child const& child) {
  if (overtaken(child)) return child.failure_report->exit_code & 0xff;
  return WIFSIGNALED(child.wait_status) ? 128 + WTERMSIG(child.wait_status)
                                        : WEXITSTATUS(child.wait_status);
}

std::string end_text(Child const& child) {
  if (child.is_guest() && !child.failure_report)
    return "has ended without leaving the job (by a signal, _exit or exec)";
  auto const killed = WIFSIGNALED(child.wait_status) && !overtaken(child);
  auto const end = killed ? "was killed by " + signal_name(WTERMSIG(child.wait_status))
                          : fmt::format("ended with code {}", exit_code_of(child));
  if (child.failure_report) return fmt::format("{}: {}", end, child.failure_report->sentence);
  if (child.protocol_failed) return end + " after its control channel was closed";
  if (ended_before_hello(child))
    return end + " before it reached main: what it, or the system's loader, printed says why";
  return end;
}

bool ended_as_recorded(Child const& child) {
  return child.failure_report && !child.protocol_failed && exit_code_of(child) == exit_cut;
}

bool failed(Child const& child) {
  if (ended_as_recorded(child)) return false;
  if (child.failure_report || child.protocol_failed || ended_before_hello(child)) return true;
  return WIFSIGNALED(child.wait_status) && !killed_on_request(child);
}

bool ended_on_request(Child const& child) {
  return child.failure_report && exit_code_of(child) == exit_stopped;
}

bool found_damage(Child const& child) {
  return child.failure_report && exit_code_of(child) == MemoryDamage::exit_code;
}

bool is_verdict(Child const& child) {
  auto const code = exit_code_of(child);
  return child.failure_report && code >= first_verdict && code <= last_verdict;
}

bool job_continues_after(Child const& child) {
  if (is_verdict(child)) return false;
  auto const* front_end = find_front_end(child.front_end);
  return front_end && front_end->death == DeathPolicy::job_continues;
}

}  // namespace earl::exec
