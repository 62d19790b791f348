// SPDX-License-Identifier: BSD-3-Clause
/// Probes, and operations that search the arrived messages: receives of one of several kinds,
/// flush.
#include <algorithm>

#include "generic/engine.hpp"

namespace earl {

/// The message that a question is about, once it is there; null: the answer is no.
Arrival* Engine::await(MatchSpec const& spec, Verdict verdict, Deadline deadline) {
  if (verdict == Verdict::no) return nullptr;
  auto there = [&] { return find_whole(spec) != nullptr; };
  if (verdict == Verdict::yes)
    wait_until(there, wanting(spec));
  else if (deadline != Deadline{})
    wait_until(there, wanting(spec), deadline);
  return find_whole(spec);
}

/// One question and its answer: the message, null for no.
Arrival* Engine::look(OpKind kind, MatchSpec const& spec, Deadline deadline) {
  ReceiveOp op{.kind = kind,
               .post = posts_,
               .spec = spec,
               .asked = &spec,
               .contested = handlers_.contested()};
  const Verdict verdict = watch_ ? watch_->posting(op) : Verdict::free;
  Arrival* const found = await(op.spec, verdict, deadline);
  if (watch_)
    watch_->answered(op, found ? &found->envelope : nullptr, found ? found->id : MessageId{});
  return found;
}

Found Engine::probe(MatchSpec const& spec) {
  run_due_handlers_before([&] { return unexpected_.find(spec) != nullptr; }, wanting(spec));
  Arrival const* const found = look(OpKind::probe, spec, never);
  return {found->envelope, found->id};
}

std::optional<Found> Engine::try_probe(MatchSpec const& spec) {
  progress();
  if (Arrival const* const found = look(OpKind::try_probe, spec, {}))
    return Found{found->envelope, found->id};
  monitor_.record_failed_poll(OpKind::try_probe, spec);
  port_->wait(Deadline{});  // a program that polls must not starve the one it waits for
  return std::nullopt;
}

Arrival* Engine::oldest(std::span<const MatchSpec> specs) const {
  Arrival* oldest = nullptr;
  for (auto const& spec : specs) {
    Arrival* const found = unexpected_.find(spec);
    if (found && (!oldest || found->number < oldest->number)) oldest = found;
  }
  return oldest;
}

/// Waits for a message that one of several specs accepts, without posting anything: a filter goes
/// first. Gives the spec's position and the receive, which is complete.
std::pair<std::size_t, Request*> Engine::take_one_of(std::span<const MatchSpec> specs,
                                                     Scatter const& room, bool take) {
  run_due_handlers_before([&] { return oldest(specs) != nullptr; }, {.specs = specs, .all = false});
  ReceiveOp op{.kind = OpKind::probe,
               .post = posts_,
               .spec = specs.front(),
               .asked = &specs.front(),
               .contested = true,
               .takes = true};
  if (watch_) watch_->posting(op);
  auto find = [&] { return op.spec.pinned ? unexpected_.find(op.spec) : oldest(specs); };
  for (;;) {
    wait_until([&] { return find() != nullptr; }, {.specs = specs, .all = false});
    Arrival* const found = find();
    auto const wanted = std::find_if(specs.begin(), specs.end(), [&](MatchSpec const& spec) {
      return spec.accepts(found->envelope);
    });
    EARL_CHECK(wanted != specs.end(), "none of {} specs accepts the message", specs.size());
    Request& request = post_for_arrival(*wanted, *found, room, take);
    if (!refuse(request)) hand(request, *found);
    wait_until([&] { return request.complete(); }, {.request = &request});
    if (!request.result.lost) {
      if (watch_) watch_->answered(op, &request.result.envelope, request.result.id);
      return {static_cast<std::size_t>(wanted - specs.begin()), &request};
    }
    release(request);
  }
}

std::pair<std::size_t, Completion> Engine::receive_any_of(std::span<const MatchSpec> specs,
                                                          Scatter const& room) {
  auto const [position, request] = take_one_of(specs, room, false);
  return {position, release(*request)};
}

std::pair<std::size_t, Message> Engine::take_any_of(std::span<const MatchSpec> specs) {
  auto const [position, request] = take_one_of(specs, {}, true);
  return {position, message_of(*request)};
}

/// Drops a message that will not be received.
void Engine::drop(Arrival& arrival) {
  if (arrival.sender) finished(*std::exchange(arrival.sender, nullptr));
  if (arrival.offered)
    put_protocol(arrival.envelope.source, Kind::done, bytes_of(arrival.offer().transfer));
  remove(arrival);
}

/// Drops the messages of next(), one after the other, until it gives null. In a replay: the
/// messages dropped when recorded.
template <class Next>
std::uint64_t Engine::drop_each(MatchSpec const& spec, Next next) {
  for (std::uint64_t dropped = 0;; ++dropped) {
    ReceiveOp op{.kind = OpKind::try_receive, .post = posts_, .spec = spec, .asked = &spec};
    const Verdict verdict = watch_ ? watch_->posting(op) : Verdict::free;
    Arrival* found = nullptr;
    if (verdict == Verdict::yes) {
      wait_until([&] { return unexpected_.find(op.spec) != nullptr; }, wanting(op.spec));
      found = unexpected_.find(op.spec);
    } else if (verdict == Verdict::free) {
      found = next(op.spec);
    }
    if (watch_)
      watch_->answered(op, found ? &found->envelope : nullptr, found ? found->id : MessageId{});
    if (!found) return dropped;
    drop(*found);
  }
}

std::uint64_t Engine::flush(MatchSpec const& spec) {
  progress();
  const std::uint64_t from_now = unexpected_.next_number();
  return drop_each(spec, [&](MatchSpec const& same) {
    Arrival* const found = unexpected_.find(same);
    return found && found->number < from_now ? found : nullptr;
  });
}

std::uint64_t Engine::flush_beyond(MatchSpec const& spec, std::uint64_t room) {
  progress();
  return drop_each(spec,
                   [&](MatchSpec const& same) { return unexpected_.find_beyond(same, room); });
}

}  // namespace earl
