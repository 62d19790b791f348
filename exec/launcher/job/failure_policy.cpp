// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/failure_policy.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>

#include "exec/launcher/children/child_end.hpp"

namespace earl::exec {

void FailurePolicy::judge(Child& child) {
  if (parts_.shutdown.begun() || child.failure_reported || !failed(child)) return;
  auto const serving = client_.serving();
  auto const others = parts_.children.members() - (child.alive() ? 1 : 0);
  bool const ends_job = serving != Serving::partition && serving != Serving::session;
  if (ends_job && others != 0 && !is_verdict(child) && !parts_.interceptors.may_fail(child.rank))
    return held_back_.push_back(child.rank);
  child.failure_reported = true;
  if (serving == Serving::partition) return report_kept(child);
  // A guest of a session is judged by the user who started it.
  if (serving == Serving::session && child.is_guest()) return;
  if (serving == Serving::session || job_continues_after(child))
    return report_survived(child, others);
  end_job(child, others);
}

/// A session server lives on, and so does a cube whose host has ended; a node takes its cube along.
void FailurePolicy::report_kept(Child const& child) {
  if (child.is_guest()) return;
  auto const line = fmt::format("earl: {} {}; the other nodes of its cube are ended\n",
                                describe(child), end_text(child));
  if (child.outlets) [[maybe_unused]]
    auto const written = ::write((*child.outlets)[1].get(), line.data(), line.size());
  client_.end_partition_of(child);
}

void FailurePolicy::report_survived(Child const& child, std::uint32_t others) {
  parts_.output.report(fmt::format("{} {}{}", describe(child), end_text(child),
                                   others == 0 ? "" : "; the job goes on"));
}

void FailurePolicy::end_job(Child const& child, std::uint32_t others) {
  auto const code = exit_code_of(child);
  if (child.failure_report) parts_.interceptors.failed(child.rank, child.failure_report->sentence);
  // The user has not started this EXEC: a reader of the host's own sentence need not know that it
  // is there.
  if (child.is_guest() && child.failure_report && others == 0)
    return parts_.shutdown.begin(code, SIGTERM);
  auto const rest = others == 0   ? std::string{"no other process was left"}
                    : others == 1 ? std::string{"the other process is ended"}
                                  : fmt::format("the other {} processes are ended", others);
  if (found_damage(child) || ended_on_request(child))
    parts_.output.report(fmt::format("{}; {}", child.failure_report->sentence, rest));
  else
    parts_.output.report(fmt::format("{} {}; {}", describe(child), end_text(child), rest));
  bool const asked = child.failure_report && child.failure_report->exit_code == 0;
  parts_.shutdown.begin(code == 0 && !asked ? 1 : code, SIGTERM);  // MPI_Abort may ask for 0
}

}  // namespace earl::exec
