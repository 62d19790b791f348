// SPDX-License-Identifier: BSD-3-Clause
/// Handlers: when they run, and in which order.
///
/// A handler runs at a point: the begin of an API call, or a place where the program waits. Points
/// are counted from the first handler on, so that a replay can run the same one at the same place.
#include "generic/handlers.hpp"

#include <algorithm>
#include <utility>

#include "generic/engine.hpp"

namespace earl {

namespace {

/// A variable that has another value for a while.
class During {
 public:
  During(bool& variable, bool value) : variable_(variable), before_(variable) { variable = value; }
  ~During() { variable_ = before_; }
  During(During const&) = delete;
  During& operator=(During const&) = delete;

 private:
  bool& variable_;
  bool before_;
};

MatchSpec pinned(MessageId const& id) {
  return {.source = id.source, .any_user_context = true, .pinned = true, .sequence = id.sequence};
}

}  // namespace

void Engine::on_completion(RequestId id, CompletionHandler handler) {
  Request& request = find_request(id);
  has_handlers_ = true;
  request.handled = true;
  request.handler = handler;
  request.handler_number = ++handlers_;
  if (request.complete()) finished(request);
}

FilterId Engine::add_filter(MatchSpec const& spec, MessageHandler handler) {
  EARL_CHECK(user_visible(spec), "a filter for messages of Earl's own");
  has_handlers_ = contested_ = true;
  filters_.push_back({.id = FilterId{++last_filter_}, .spec = spec, .handler = handler});
  return filters_.back().id;
}

bool Engine::remove_filter(FilterId id) {
  return std::erase_if(filters_, [&](Filter const& filter) { return filter.id == id; }) != 0;
}

bool Engine::mask_handlers(bool hold) {
  bool const held = std::exchange(masked_, hold);
  if (!hold) progress();
  return held;
}

/// The youngest filter that wants the message; null: none.
Filter const* Engine::filter_for(Envelope const& envelope) const {
  auto const found = std::find_if(filters_.rbegin(), filters_.rend(), [&](Filter const& filter) {
    return filter.spec.accepts(envelope);
  });
  return found == filters_.rend() ? nullptr : &*found;
}

/// Runs the handlers that are due at a point. Verdict::free: those that have come so far; else a
/// replay has named which, and all of them have run.
Verdict Engine::run_handlers(std::uint64_t point) {
  if (masked_ || in_handler_) return Verdict::no;
  for (;;) {
    HandlerOp op{.point = point};
    const Verdict verdict = watch_ ? watch_->handlers_due(op) : Verdict::free;
    if (verdict == Verdict::no) return Verdict::no;
    std::optional<PendingHandler> due;
    if (verdict == Verdict::yes)
      wait_until([&] { return due || (due = pending_handler_for(op)); }, {.kind = OpKind::handler});
    else
      due = next_pending_handler();
    if (!due) return Verdict::free;
    run(*due, point);
  }
}

/// The next one that is due, no longer waiting. A message may have been taken by another receive
/// meanwhile, or its filter may be gone.
std::optional<PendingHandler> Engine::next_pending_handler() {
  while (!due_.empty()) {
    const PendingHandler due = due_.front();
    due_.pop_front();
    if (due.request) return due;
    bool const there = due.arrival->generation == due.generation;
    if (there && filter_for(due.arrival->envelope)) return due;
  }
  return std::nullopt;
}

/// The one that a replay demands, no longer waiting; null: it has not come yet.
std::optional<PendingHandler> Engine::pending_handler_for(HandlerOp const& op) {
  if (op.handler == 0) {
    Arrival* const arrival = unexpected_.find(pinned(op.id));
    if (!arrival || !filter_for(arrival->envelope)) return std::nullopt;
    return PendingHandler{.arrival = arrival, .generation = arrival->generation};
  }
  auto const found = std::find_if(due_.begin(), due_.end(), [&](PendingHandler const& due) {
    return due.request && due.request->handler_number == op.handler;
  });
  if (found == due_.end()) return std::nullopt;
  const PendingHandler due = *found;
  due_.erase(found);
  return due;
}

template <class Body>
void Engine::run_as(HandlerOp const& op, Body body) {
  const During inside{in_handler_, true};
  const During mask{masked_, masked_};
  if (watch_) watch_->handling(op);
  body();
  if (watch_) watch_->handled(op);
}

void Engine::run(PendingHandler const& due, std::uint64_t point) {
  if (due.request) {
    const CompletionHandler handler = due.request->handler;
    const HandlerOp op{
        .point = point, .handler = due.request->handler_number, .id = due.request->result.id};
    due.request->handled = false;
    const Completion result = release(*due.request);
    run_as(op, [&] { handler.function(handler.with, result); });
    return;
  }
  Arrival& arrival = *due.arrival;
  const Filter filter = *filter_for(arrival.envelope);
  Request& request = post_for_arrival(filter.spec, arrival, {}, true);
  hand(request, arrival);
  wait_until([&] { return request.complete(); }, {.request = &request});
  if (request.result.lost) return static_cast<void>(release(request));
  Message message = message_of(request);
  const HandlerOp op{.point = point, .id = message.id};
  run_as(op, [&] { filter.handler.function(filter.handler.with, std::move(message)); });
}

}  // namespace earl
