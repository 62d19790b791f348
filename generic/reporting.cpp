// SPDX-License-Identifier: BSD-3-Clause
/// A process's answer when EXEC asks whether it can go on.
#include <execinfo.h>

#include <array>

#include "generic/engine.hpp"

namespace earl {

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

/// The unmet needs of the wait under way.
void Engine::add_wait_states(Report& report, WaitState const& wait) {
  report.all = wait.all;
  auto const add = [&](Request const& request) {
    if (request.complete()) return;
    Need& need = report.needs.emplace_back();
    describe(need, request);
    if (!request.result.receive && request.throttled) need.crowd = crowd_before(request);
  };
  if (wait.request) return add(*wait.request);
  if (!wait.requests.empty()) {
    for (Request const* const request : wait.requests) add(*request);
    return;
  }
  report.all = report.all && wait.specs.size() < 2;
  for (auto const& spec : wait.specs) describe(report.needs.emplace_back(), OpKind::probe, spec);
  if (wait.kind == OpKind::exec)
    report.needs.push_back({.kind = OpKind::exec, .operation = wait.operation});
  if (wait.kind == OpKind::send) add_unfinished_sends(report);
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

/// Messages that a process that has ended sent, or would have received, are no longer under way.
void Engine::count_traffic(Report& report) {
  report.traffic = past_traffic_;
  for (auto const& channel : channels_) {
    report.traffic += channel->put + channel->got;
    if (port_->ended(channel->peer)) continue;
    report.sent += channel->put;
    report.arrived += channel->got;
  }
}

/// A peer's end is known here, but its messages have not all arrived: the port will report it.
bool Engine::has_undrained_dead_peer() const {
  return std::ranges::any_of(channels_, [this](auto const& channel) {
    return channel->put + channel->got != 0 && port_->ended(channel->peer);
  });
}

Report Engine::report() {
  Report report;
  count_traffic(report);
  report.serves = handlers_.in_use();
  // A process that has just received EXEC's answer may not have looked at it yet, and would say
  // that it waits.
  bool const stands =
      monitor_.judge(report, {.events = report.traffic + posts_ + receives_ + exec_.exchanged(),
                              .clock_reads = port_->clock_reads(),
                              .moving = busy() || has_undrained_dead_peer()});
  if (!stands) return report;
  if (WaitState const* const wait = monitor_.wait_state()) add_wait_states(report, *wait);
  add_leftovers(report);
  return report;
}

}  // namespace earl
