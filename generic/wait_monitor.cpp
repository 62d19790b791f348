// SPDX-License-Identifier: BSD-3-Clause
#include "generic/wait_monitor.hpp"

#include "generic/operation.hpp"

namespace earl {

namespace {

/// After so many failed polls with nothing else in between it is said to poll.
constexpr std::uint64_t polling = 500;
/// So many: it does little else than ask, or sleep in between.
constexpr std::uint64_t few = 10;

/// EXEC reports processes' actions: any of them may be the cause.
bool names_a_process(Rank source) { return number(source) >= 0; }

}  // namespace

void describe(Need& need, OpKind kind, MatchSpec const& spec) {
  need.kind = kind;
  need.selector = selector_of(spec);
  need.from.assign(spec.sources.begin(), spec.sources.end());
  if (names_a_process(spec.source)) need.from.push_back(spec.source);
}

void describe(Need& need, Request const& request) {
  describe(need, request.result.receive ? OpKind::receive : OpKind::send, request.spec);
  if (!request.result.receive) need.from = {request.result.envelope.dest};
  // It has its message, and the bytes are on their way.
  else if (request.state == Request::State::moving)
    need.from = {request.result.envelope.source};
}

/// Whether the program has read a clock since something else happened last, as far as that is seen.
bool WaitMonitor::reads_clocks(Report& report, std::optional<std::uint64_t> seen, bool moved) {
  report.sees_clocks = seen.has_value();
  auto const reads = clock_reads_ + seen.value_or(0);
  if (moved) clocks_before_ = reads;
  return reads != clocks_before_;
}

bool WaitMonitor::judge(Report& report, Activity const& activity) {
  report.progress = activity.events + waits_;
  bool const moved = std::exchange(reported_progress_, report.progress) != report.progress;
  if (moved) idle_since_ = failed_polls_;
  report.polls = failed_polls_ - idle_since_;
  bool const looks = reads_clocks(report, activity.clock_reads, moved);
  if (activity.moving) return false;
  if (wait_state_) {
    report.state = timed_ ? Report::State::running : Report::State::waiting;
  } else if (report.polls >= few) {
    bool const may_end = expects_external_events_ || looks || report.polls < polling;
    report.state = may_end ? Report::State::running : Report::State::polling;
    report.needs.push_back(last_failed_poll_);
  } else {
    return false;
  }
  report.idle = report.state == Report::State::running;
  return true;
}

}  // namespace earl
