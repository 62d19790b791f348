// SPDX-License-Identifier: BSD-3-Clause
/// Handlers: when they run, and in which order.
///
/// A handler runs at a point: the begin of an API call, or a place where the program waits. Points
/// are counted from the first handler on, so that a replay can run the same one at the same place.
#include "generic/handlers.hpp"

#include <utility>

#include "generic/engine.hpp"

namespace earl {

namespace {

MatchSpec pinned(MessageId const& id) {
  return {.source = id.source, .any_user_context = true, .pinned = true, .sequence = id.sequence};
}

}  // namespace

void ProgramHandlers::on_completion(RequestId request, CompletionHandler handler) {
  engine_.on_completion(request, handler);
  observed_ = true;
}

FilterId ProgramHandlers::add_filter(MatchSpec const& spec, MessageHandler handler) {
  observed_ = true;
  return engine_.add_filter(spec, handler);
}

bool ProgramHandlers::remove_filter(FilterId filter) {
  return engine_.handlers().remove_filter(filter);
}

bool ProgramHandlers::mask(bool hold) { return engine_.mask_handlers(hold); }
bool ProgramHandlers::running() const { return engine_.handlers().running(); }

void Engine::on_completion(RequestId id, CompletionHandler handler) {
  handlers_.attach(requests_.find(id), handler);
  receiver_.expect_handlers();
}

FilterId Engine::add_filter(MatchSpec const& spec, MessageHandler handler) {
  receiver_.expect_handlers();
  return handlers_.add_filter(spec, handler);
}

bool Engine::mask_handlers(bool hold) {
  bool const held = handlers_.mask(hold);
  if (!hold) progress();
  return held;
}

/// Runs the handlers that are due at a point. Verdict::free: those that have come so far; else a
/// replay has named which, and all of them have run.
Verdict Engine::run_handlers(std::uint64_t point) {
  if (handlers_.held()) return Verdict::no;
  for (;;) {
    HandlerOp op{.point = point};
    const Verdict verdict =
        endpoint_.debugger ? endpoint_.debugger->handlers_due(op) : Verdict::free;
    if (verdict == Verdict::no) return Verdict::no;
    std::optional<PendingHandler> due;
    if (verdict == Verdict::yes)
      wait_until([&] { return due || (due = pending_handler_for(op)); }, {.kind = OpKind::handler});
    else
      due = handlers_.next();
    if (!due) return Verdict::free;
    run(*due, point);
  }
}

/// The one that a replay demands, no longer waiting; null: it has not come yet.
std::optional<PendingHandler> Engine::pending_handler_for(HandlerOp const& op) {
  if (op.handler != 0) return handlers_.take(op.handler);
  Arrival* const arrival = receiver_.unexpected().find(pinned(op.id));
  if (!arrival || !handlers_.filter_for(arrival->envelope)) return std::nullopt;
  return PendingHandler{.arrival = arrival, .generation = arrival->generation};
}

template <class Body>
void Engine::run_as(HandlerOp const& op, Body body) {
  const HandlerQueue::Run now{handlers_};
  const InterruptedCall interrupted{call_};
  if (endpoint_.debugger) endpoint_.debugger->handling(op);
  body();
  if (endpoint_.debugger) endpoint_.debugger->handled(op);
}

void Engine::run(PendingHandler const& due, std::uint64_t point) {
  if (due.request) {
    const CompletionHandler handler = due.request->handler;
    const HandlerOp op{
        .point = point, .handler = due.request->handler_number, .id = due.request->result.id};
    due.request->handled = false;
    const Completion result = requests_.release(*due.request);
    run_as(op, [&] { handler.function(handler.with, result); });
    return;
  }
  Arrival& arrival = *due.arrival;
  const Filter filter = *handlers_.filter_for(arrival.envelope);
  Request& request = receiver_.post_for_arrival(filter.spec, arrival, {}, true);
  receiver_.hand(request, arrival);
  wait_until([&] { return request.complete(); }, {.request = &request});
  if (request.result.lost) return static_cast<void>(requests_.release(request));
  Message message = requests_.take_message(request);
  const HandlerOp op{.point = point, .id = message.id};
  run_as(op, [&] { filter.handler.function(filter.handler.with, std::move(message)); });
}

}  // namespace earl
