// SPDX-License-Identifier: BSD-3-Clause
/// What a process answers when EXEC asks whether it can go on.
#include <execinfo.h>

#include <array>

#include "generic/engine.hpp"

namespace earl {

namespace {

/// So many questions in vain, and nothing else in between: it polls.
constexpr std::uint64_t polling = 500;
/// So many: it does little else than ask, or sleep in between.
constexpr std::uint64_t few = 10;

/// EXEC reports what processes do: any of them may be the cause.
bool names_a_process(Rank source) { return source != any_rank && source != exec_rank; }

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

std::size_t Engine::stack(std::span<void const*> room) const {
  constexpr std::size_t most = 128;
  std::array<void*, most> addresses{};
  auto const count = ::backtrace(addresses.data(), static_cast<int>(most));
  auto const found = std::span{addresses}.first(static_cast<std::size_t>(std::max(count, 0)));
  auto const first = std::ranges::find(found, call_.site);
  auto const size =
      std::min(room.size(), static_cast<std::size_t>(std::distance(first, found.end())));
  std::copy_n(first, size, room.begin());
  return size;
}

/// What the wait that is under way lacks.
void Engine::add_wait_states(Report& report) {
  report.all = wait_state_->all;
  auto const add = [&](Request const& request) {
    if (request.complete()) return;
    Need& need = report.needs.emplace_back();
    describe(need, request);
    if (!request.result.receive && request.throttled) need.crowd = crowd_before(request);
  };
  if (wait_state_->request) return add(*wait_state_->request);
  if (!wait_state_->requests.empty()) {
    for (Request const* const request : wait_state_->requests) add(*request);
    return;
  }
  report.all = report.all && wait_state_->specs.size() < 2;
  for (auto const& spec : wait_state_->specs)
    describe(report.needs.emplace_back(), OpKind::probe, spec);
  if (wait_state_->kind == OpKind::exec)
    report.needs.push_back({.kind = OpKind::exec, .operation = wait_state_->operation});
  if (wait_state_->kind == OpKind::send) add_unfinished_sends(report);
}

Crowd Engine::crowd_before(Request const& send) const {
  Envelope const& message = send.result.envelope;
  Channel const* const to = channels_.find(message.dest);
  const Tally before = to ? to->flow.outstanding() : Tally{};
  return {.tag = message.tag,
          .length = message.length,
          .messages = before.messages,
          .bytes = before.bytes};
}

void Engine::add_unfinished_sends(Report& report) {
  transfers_.each([&](Transfer const& transfer) {
    report.needs.push_back({.kind = OpKind::send, .from = {transfer.dest}});
  });
  for (auto const& channel : channels_)
    if (!channel->outbox.empty())
      report.needs.push_back({.kind = OpKind::send, .from = {channel->peer}});
}

void Engine::add_leftovers(Report& report) const {
  report.left_over = unexpected_.user_messages();
  for (Arrival const* const arrival : unexpected_.oldest_user(Report::most_leftovers))
    report.leftovers.push_back({.source = arrival->envelope.source,
                                .tag = arrival->envelope.tag,
                                .length = arrival->envelope.length});
}

/// What a process that has ended sent, or would have received, is no longer under way.
void Engine::count_traffic(Report& report) {
  report.traffic = past_traffic_;
  for (auto const& channel : channels_) {
    report.traffic += channel->put + channel->got;
    if (port_->ended(channel->peer)) continue;
    report.sent += channel->put;
    report.arrived += channel->got;
  }
}

/// A peer's end is known here, but not yet everything it ever sent: the port will tell.
bool Engine::has_undrained_dead_peer() const {
  return std::ranges::any_of(channels_, [this](auto const& channel) {
    return channel->put + channel->got != 0 && port_->ended(channel->peer);
  });
}

/// Whether the program has read a clock since something else happened last, as far as that is seen.
bool Engine::reads_clocks(Report& report, bool moved) {
  auto const seen = port_->clock_reads();
  report.sees_clocks = seen.has_value();
  auto const reads = clock_reads_ + seen.value_or(0);
  if (moved) clocks_before_ = reads;
  return reads != clocks_before_;
}

Report Engine::report() {
  Report report;
  count_traffic(report);
  // A process that has just received EXEC's answer may not have looked at it yet, and would say
  // that it waits.
  report.progress = report.traffic + waits_ + posts_ + receives_ + exec_.exchanged();
  bool const moved = std::exchange(reported_progress_, report.progress) != report.progress;
  if (moved) idle_since_ = failed_polls_;
  report.polls = failed_polls_ - idle_since_;
  report.serves = has_handlers_;
  bool const looks = reads_clocks(report, moved);
  if (busy() || has_undrained_dead_peer()) return report;
  if (wait_state_) {
    report.state = timed_ ? Report::State::moves : Report::State::waits;
    add_wait_states(report);
  } else if (report.polls >= few) {
    bool const may_end = waits_on_external_events_ || looks || report.polls < polling;
    report.state = may_end ? Report::State::moves : Report::State::polls;
    report.needs.push_back(last_failed_poll_);
  } else {
    return report;
  }
  report.idle = report.state == Report::State::moves;
  add_leftovers(report);
  return report;
}

}  // namespace earl
