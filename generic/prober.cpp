// SPDX-License-Identifier: BSD-3-Clause
/// Probes, and operations that search the arrived messages: receives of one of several kinds,
/// flush.
#include <algorithm>

#include "generic/engine.hpp"

namespace earl {

/// While the queue answers, most polls bring in no more messages: the queue of a receiver that is
/// slower than its senders must not grow by many messages for each that is taken.
constexpr std::uint32_t polls_per_progress = 64;
/// A port hands over a few messages at a time. A poll that finds none of its own among them goes
/// on, as long as more have arrived; a sender that never stops does not keep it.
constexpr int most_progress = 64;

void Prober::progress_unless_arrived(MatchSpec const& spec) {
  Arrival const* const there =
      ++polls_ % polls_per_progress == 0 ? nullptr : receiver_.unexpected().find(spec);
  bool found = there && !there->offered;
  for (int i = 0; i < most_progress && !found && engine_.pump() != 0; ++i)
    found = receiver_.unexpected().find(spec) != nullptr;
  // Once: a replay counts the places where handlers may run.
  engine_.run_due_handlers();
}

/// The message that a question is about, once it is there; null: the answer is no.
Arrival* Prober::await(MatchSpec const& spec, Verdict verdict, Deadline deadline) {
  if (verdict == Verdict::no) return nullptr;
  auto there = [&] { return receiver_.find_whole(spec) != nullptr; };
  if (verdict == Verdict::yes)
    engine_.wait_until(there, waiting_for(spec));
  else if (deadline != Deadline{})
    engine_.wait_until(there, waiting_for(spec), deadline);
  return receiver_.find_whole(spec);
}

/// A debugger's "no" comes of a record or a path, which end: the process does not wait.
void Prober::record_failed_poll(OpKind kind, MatchSpec const& spec, Verdict verdict) {
  if (verdict != Verdict::no) engine_.monitor().record_failed_poll(kind, spec);
}

/// One question and its answer: the message, null for no.
Arrival* Prober::find_arrival(OpKind kind, MatchSpec const& spec, Deadline deadline) {
  ReceiveOp op{.kind = kind,
               .post = receiver_.posts(),
               .spec = spec,
               .asked = &spec,
               .contested = engine_.handlers().contested()};
  const Verdict verdict = endpoint_.debugger ? endpoint_.debugger->posting(op) : Verdict::free;
  Arrival* const found = await(op.spec, verdict, deadline);
  if (endpoint_.debugger)
    endpoint_.debugger->answered(op, found ? &found->envelope : nullptr,
                                 found ? found->id : MessageId{});
  if (!found && kind == OpKind::try_probe) record_failed_poll(kind, spec, verdict);
  return found;
}

Found Prober::probe(MatchSpec const& spec) {
  engine_.run_due_handlers_before([&] { return receiver_.unexpected().find(spec) != nullptr; },
                                  waiting_for(spec));
  Arrival const* const found = find_arrival(OpKind::probe, spec, never);
  return {found->envelope, found->id};
}

std::optional<Found> Prober::try_probe(MatchSpec const& spec) {
  progress_unless_arrived(spec);
  if (Arrival const* const found = find_arrival(OpKind::try_probe, spec, {}))
    return Found{found->envelope, found->id};
  port_.wait(Deadline{});  // a program that polls must not starve the one it waits for
  return std::nullopt;
}

std::optional<Message> Prober::try_take(MatchSpec const& spec, Deadline deadline) {
  progress_unless_arrived(spec);
  bool const waits = deadline != Deadline{};
  if (waits)
    engine_.run_due_handlers_before([&] { return receiver_.unexpected().find(spec) != nullptr; },
                                    waiting_for(spec), deadline);
  ReceiveOp op{.kind = OpKind::try_receive,
               .post = receiver_.posts(),
               .spec = spec,
               .asked = &spec,
               .contested = engine_.handlers().contested()};
  const Verdict verdict = endpoint_.debugger ? endpoint_.debugger->posting(op) : Verdict::free;
  while (Arrival* const found = await(op.spec, verdict, deadline)) {
    Request& request = receiver_.post_for_arrival(spec, *found, {}, true);
    receiver_.hand(request, *found);
    engine_.wait_until([&] { return request.complete(); }, {.request = &request});
    if (request.result.lost) {  // there never was such a message
      engine_.requests().release(request);
      continue;
    }
    Message message = engine_.requests().take_message(request);
    op.payload = Gather{message.body.bytes()};
    if (endpoint_.debugger) endpoint_.debugger->answered(op, &message.envelope, message.id);
    return message;
  }
  if (endpoint_.debugger) endpoint_.debugger->answered(op, nullptr, {});
  if (waits) return std::nullopt;
  record_failed_poll(OpKind::try_receive, spec, verdict);
  port_.wait(Deadline{});
  return std::nullopt;
}

Arrival* Prober::oldest(std::span<const MatchSpec> specs) const {
  Arrival* oldest = nullptr;
  for (auto const& spec : specs) {
    Arrival* const found = receiver_.unexpected().find(spec);
    if (found && (!oldest || found->number < oldest->number)) oldest = found;
  }
  return oldest;
}

/// Waits for a message that one of several specs accepts, without posting anything: a filter goes
/// first. Returns the spec's position and the receive, which is complete.
std::pair<std::size_t, Request*> Prober::take_one_of(std::span<const MatchSpec> specs,
                                                     Scatter const& room, bool take) {
  engine_.run_due_handlers_before([&] { return oldest(specs) != nullptr; },
                                  {.specs = specs, .all = false});
  ReceiveOp op{.kind = OpKind::probe,
               .post = receiver_.posts(),
               .spec = specs.front(),
               .asked = &specs.front(),
               .contested = true,
               .takes = true};
  if (endpoint_.debugger) endpoint_.debugger->posting(op);
  auto find = [&] { return op.spec.pinned ? receiver_.unexpected().find(op.spec) : oldest(specs); };
  for (;;) {
    engine_.wait_until([&] { return find() != nullptr; }, {.specs = specs, .all = false});
    Arrival* const found = find();
    auto const wanted = std::find_if(specs.begin(), specs.end(), [&](MatchSpec const& spec) {
      return spec.accepts(found->envelope);
    });
    EARL_CHECK(wanted != specs.end(), "none of {} specs accepts the message", specs.size());
    Request& request = receiver_.post_for_arrival(*wanted, *found, room, take);
    if (!receiver_.refuse(request)) receiver_.hand(request, *found);
    engine_.wait_until([&] { return request.complete(); }, {.request = &request});
    if (!request.result.lost) {
      if (endpoint_.debugger)
        endpoint_.debugger->answered(op, &request.result.envelope, request.result.id);
      return {static_cast<std::size_t>(wanted - specs.begin()), &request};
    }
    engine_.requests().release(request);
  }
}

std::pair<std::size_t, Completion> Prober::receive_any_of(std::span<const MatchSpec> specs,
                                                          Scatter const& room) {
  auto const [position, request] = take_one_of(specs, room, false);
  return {position, engine_.requests().release(*request)};
}

std::pair<std::size_t, Message> Prober::take_any_of(std::span<const MatchSpec> specs) {
  auto const [position, request] = take_one_of(specs, {}, true);
  return {position, engine_.requests().take_message(*request)};
}

/// Drops the messages of next(), one after the other, until it gives null. In a replay: the
/// messages dropped when recorded.
template <class Next>
std::uint64_t Prober::drop_each(MatchSpec const& spec, Next next) {
  for (std::uint64_t dropped = 0;; ++dropped) {
    ReceiveOp op{
        .kind = OpKind::try_receive, .post = receiver_.posts(), .spec = spec, .asked = &spec};
    const Verdict verdict = endpoint_.debugger ? endpoint_.debugger->posting(op) : Verdict::free;
    Arrival* found = nullptr;
    if (verdict == Verdict::yes) {
      engine_.wait_until([&] { return receiver_.unexpected().find(op.spec) != nullptr; },
                         waiting_for(op.spec));
      found = receiver_.unexpected().find(op.spec);
    } else if (verdict == Verdict::free) {
      found = next(op.spec);
    }
    if (endpoint_.debugger)
      endpoint_.debugger->answered(op, found ? &found->envelope : nullptr,
                                   found ? found->id : MessageId{});
    if (!found) return dropped;
    receiver_.drop(*found);
  }
}

std::uint64_t Prober::flush(MatchSpec const& spec) {
  engine_.progress();
  const std::uint64_t from_now = receiver_.unexpected().next_number();
  return drop_each(spec, [&](MatchSpec const& same) {
    Arrival* const found = receiver_.unexpected().find(same);
    return found && found->number < from_now ? found : nullptr;
  });
}

std::uint64_t Prober::flush_beyond(MatchSpec const& spec, std::uint64_t room) {
  engine_.progress();
  return drop_each(
      spec, [&](MatchSpec const& same) { return receiver_.unexpected().find_beyond(same, room); });
}

}  // namespace earl
