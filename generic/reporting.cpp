// SPDX-License-Identifier: BSD-3-Clause
/// A process's answer when EXEC asks whether it can go on.
#include <execinfo.h>

#include <array>

#include "generic/engine.hpp"

namespace earl {

namespace {

/// The wait has ended, and its process has not noticed yet.
bool is_over(WaitState const* wait) { return wait && wait->shared && wait->shared->over(); }

Leftover leftover(Arrival const& arrival, DebuggedProcess const& process,
                  Contexts const& contexts) {
  auto const& envelope = arrival.envelope;
  auto const name = contexts.name(envelope.context);
  return {.source = envelope.source,
          .tag = envelope.tag,
          .length = envelope.length,
          .context = name.label,
          .number = name.number_of(envelope.source),
          .subject = process.notice_subject(arrival.id)};
}

void add_leftovers(Report& report, Engine& engine) {
  auto const& unexpected = engine.receiver().unexpected();
  report.left_over = unexpected.user_messages();
  for (Arrival const* const arrival : unexpected.oldest_in(Space::user, Report::most_leftovers))
    report.leftovers.push_back(leftover(*arrival, engine, engine.contexts()));
}

void name_context(Need& need, Contexts const& contexts) {
  auto const name = contexts.name(Context{need.selector.context});
  need.context = name.label;
  if (need.kind != OpKind::exec && need.kind != OpKind::send)
    need.what = contexts.cause(need.selector);
  if (!name.members.empty())
    for (Rank const rank : need.from) need.numbers.push_back(name.number_of(rank));
}

}  // namespace

std::size_t Engine::stack(std::span<void const*> room) const {
  if (room.size() == 1) return room.front() = call_.site, 1;
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
    if (requests_.is_over(request)) return;
    Need& need = report.needs.emplace_back();
    describe(need, request);
    if (!request.result.receive && request.throttled)
      need.crowd = outbound_.backlog_before(request);
  };
  if (wait.request) return add(*wait.request);
  if (wait.shared) {
    for (Rank const rank : wait.shared->missing())
      describe(report.needs.emplace_back(), OpKind::receive,
               {.source = rank, .context = wait.shared->context()});
    return;
  }
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

void Engine::add_unfinished_sends(Report& report) {
  rendezvous_.each([&](Transfer const& transfer) {
    report.needs.push_back({.kind = OpKind::send, .from = {transfer.dest}});
  });
  for (auto const& channel : peers())
    if (!channel->outbox.empty())
      report.needs.push_back({.kind = OpKind::send, .from = {channel->peer}});
}

Report Engine::report() {
  Report report;
  peers().count_traffic(report);
  report.serves = handlers_.may_end_waits();
  // A process that has just received EXEC's answer may not have looked at it yet, and would say
  // that it waits.
  bool const stands = monitor_.judge(
      report,
      {.events = report.traffic + receiver_.posts() + receiver_.receives() + exec_.exchanged(),
       .clock_reads = endpoint_.port->clock_reads(),
       .moving = busy() || peers().has_undrained_dead_peer() || is_over(monitor_.wait_state())});
  if (!stands) return report;
  if (WaitState const* const wait = monitor_.wait_state()) add_wait_states(report, *wait);
  for (Need& need : report.needs) name_context(need, contexts_);
  add_leftovers(report, *this);
  return report;
}

}  // namespace earl
