// SPDX-License-Identifier: BSD-3-Clause
/// Completing requests, one or several, and taking them back.
#include <algorithm>
#include <utility>

#include "generic/engine.hpp"

namespace earl {

namespace {

bool any_complete(std::span<Request* const> requests) {
  return std::any_of(requests.begin(), requests.end(),
                     [](Request const* request) { return request->complete(); });
}

bool all_complete(std::span<Request* const> requests) {
  return std::all_of(requests.begin(), requests.end(),
                     [](Request const* request) { return request->complete(); });
}

}  // namespace

Request& RequestTable::find(RequestId id) {
  if (Request* const request = requests_.find(static_cast<std::uint64_t>(id))) return *request;
  throw Error(Fault::bad_request, "request {} is not open: it was never given or is complete",
              static_cast<std::uint64_t>(id));
}

std::vector<Request*> RequestTable::find_all(std::span<const RequestId> ids) {
  std::vector<Request*> requests;
  requests.reserve(ids.size());
  for (auto const id : ids) requests.push_back(&find(id));
  return requests;
}

void RequestTable::finish_release(Request& request) {
  request.body = {};
  if (!std::exchange(request.watched, false) || !endpoint_.debugger) return;
  Completion const& result = request.result;
  if (result.cancelled || result.lost || result.refused) return;
  endpoint_.debugger->completed(
      result.receive ? request.post : post_of_send(result.envelope.dest, result.id.sequence));
}

Completion RequestTable::wait(RequestId id) {
  Request& request = find(id);
  engine_.wait_running_handlers([&] { return request.complete(); }, {.request = &request});
  return release(request);
}

bool RequestTable::send_synchronous(Envelope const& to, Gather const& bytes) {
  return ask_debuggers_whether(wait(engine_.outbound().start_send(to, bytes)).taken_as == to.mode);
}

/// The current state; in a replay, where sends need not wait, the recorded one.
bool RequestTable::ask_debuggers_whether(bool now) {
  if (!endpoint_.debugger) return now;
  const TestOp op{.kind = OpKind::test, .requests = 1};
  std::span<const std::uint32_t> demanded;
  const Verdict verdict = endpoint_.debugger->testing(op, demanded);
  bool const yes = verdict == Verdict::free ? now : verdict == Verdict::yes;
  const std::uint32_t position = 0;
  endpoint_.debugger->tested(op, std::span{&position, yes ? 1U : 0U});
  return yes;
}

/// Asks which requests are complete and gives their positions: of `test`, none if it is not so; of
/// `wait_any`, at least one.
std::vector<std::uint32_t> RequestTable::ask_debuggers_about(TestOp const& op,
                                                             std::span<Request* const> requests) {
  std::span<const std::uint32_t> demanded;
  const Verdict verdict =
      endpoint_.debugger ? endpoint_.debugger->testing(op, demanded) : Verdict::free;
  std::vector<std::uint32_t> positions(demanded.begin(), demanded.end());
  for (auto const position : positions)
    EARL_CHECK(position < requests.size(), "request {} of {}", position, requests.size());
  auto answerable = [&] {
    if (op.all) return all_complete(requests);
    if (positions.empty()) return any_complete(requests);
    return std::all_of(positions.begin(), positions.end(),
                       [&](std::uint32_t position) { return requests[position]->complete(); });
  };
  if (verdict == Verdict::yes || op.kind == OpKind::wait_any)
    engine_.wait_until(answerable, {.requests = requests, .all = op.all});
  if (positions.empty() && verdict != Verdict::no && answerable())
    for (std::uint32_t i = 0; i < requests.size(); ++i)
      if (requests[i]->complete()) positions.push_back(i);
  // Not resize(1): gcc 12 warns of the growth that it might be.
  if (op.one && positions.size() > 1) positions.erase(positions.begin() + 1, positions.end());
  if (endpoint_.debugger) endpoint_.debugger->tested(op, positions);
  if (positions.empty() && !requests.empty())
    engine_.monitor().record_failed_poll(*requests.front());
  return positions;
}

std::optional<Completion> RequestTable::test(RequestId id) {
  Request* const request = &find(id);
  engine_.progress();
  auto const done =
      ask_debuggers_about({.kind = OpKind::test, .requests = 1}, std::span{&request, 1});
  if (!done.empty()) return release(*request);
  port_.wait(Deadline{});
  return std::nullopt;
}

std::pair<std::size_t, Completion> RequestTable::wait_any(std::span<const RequestId> ids) {
  auto const requests = find_all(ids);
  engine_.run_due_handlers_before([&] { return any_complete(requests); },
                                  {.requests = requests, .all = false});
  auto const done = ask_debuggers_about(
      {.kind = OpKind::wait_any, .requests = ids.size(), .one = true}, requests);
  return {done.front(), release(*requests[done.front()])};
}

std::optional<std::pair<std::size_t, Completion>> RequestTable::test_any(
    std::span<const RequestId> ids) {
  engine_.progress();
  auto const requests = find_all(ids);
  auto const done =
      ask_debuggers_about({.kind = OpKind::test, .requests = ids.size(), .one = true}, requests);
  if (!done.empty()) return std::pair{std::size_t{done.front()}, release(*requests[done.front()])};
  port_.wait(Deadline{});
  return std::nullopt;
}

std::vector<std::pair<std::size_t, Completion>> RequestTable::release_some(
    std::span<Request* const> requests, std::span<const std::uint32_t> positions) {
  std::vector<std::pair<std::size_t, Completion>> released;
  released.reserve(positions.size());
  for (auto const position : positions)
    released.emplace_back(position, release(*requests[position]));
  return released;
}

std::vector<std::pair<std::size_t, Completion>> RequestTable::wait_some(
    std::span<const RequestId> ids) {
  auto const requests = find_all(ids);
  engine_.run_due_handlers_before([&] { return any_complete(requests); },
                                  {.requests = requests, .all = false});
  return release_some(
      requests, ask_debuggers_about({.kind = OpKind::wait_any, .requests = ids.size()}, requests));
}

std::vector<std::pair<std::size_t, Completion>> RequestTable::test_some(
    std::span<const RequestId> ids) {
  engine_.progress();
  auto const requests = find_all(ids);
  auto released = release_some(
      requests, ask_debuggers_about({.kind = OpKind::test, .requests = ids.size()}, requests));
  if (released.empty()) port_.wait(Deadline{});
  return released;
}

std::vector<Completion> RequestTable::wait_all(std::span<const RequestId> ids) {
  auto const requests = find_all(ids);
  engine_.wait_running_handlers([&] { return all_complete(requests); }, {.requests = requests});
  std::vector<Completion> results;
  results.reserve(requests.size());
  for (Request* const request : requests) results.push_back(release(*request));
  return results;
}

std::optional<std::vector<Completion>> RequestTable::test_all(std::span<const RequestId> ids) {
  engine_.progress();
  auto const requests = find_all(ids);
  if (ids.empty()) return std::vector<Completion>{};
  auto const done =
      ask_debuggers_about({.kind = OpKind::test, .requests = ids.size(), .all = true}, requests);
  if (!done.empty()) return wait_all(ids);
  port_.wait(Deadline{});
  return std::nullopt;
}

bool RequestTable::cancel(RequestId id) {
  Request& request = find(id);
  Envelope const& sent = request.result.envelope;
  bool const receive = request.result.receive;
  bool const user = receive ? user_visible(request.spec) : space_of(sent.context) == Space::user;
  const std::uint64_t post =
      receive ? request.post : post_of_send(sent.dest, request.result.id.sequence);
  auto const forced =
      endpoint_.debugger && user ? endpoint_.debugger->cancelling(post) : std::nullopt;
  bool const may =
      forced.value_or(true) && (receive ? cancel_receive(request) : cancel_send(request));
  if (endpoint_.debugger && user) endpoint_.debugger->cancelled(post, may);
  if (may && std::exchange(request.handled, false)) release(request);
  return may;
}

bool RequestTable::cancel_receive(Request& request) {
  if (request.state != Request::State::posted) return false;
  engine_.receiver().withdraw(request);
  request.result.cancelled = true;
  request.state = Request::State::complete;
  return true;
}

bool RequestTable::cancel_send(Request& request) {
  if (request.complete()) return false;
  bool const had_handler = std::exchange(request.handled, false);
  bool const taken_back = take_back(request);
  request.handled = had_handler;
  if (!taken_back && had_handler && request.complete()) finished(request);
  return taken_back;
}

/// A send that is not complete. Its receiver says whether anything had matched it.
bool RequestTable::take_back(Request& request) {
  Transfer* const transfer = engine_.rendezvous().find(request.transfer);
  if (!transfer) {  // to this process itself; or a replay holds it back
    if (Arrival* const arrival = engine_.receiver().unexpected().find_from(request)) {
      arrival->sender = nullptr;
      engine_.receiver().remove(*arrival);
    }
    request.result.cancelled = true;
    request.state = Request::State::complete;
    return true;
  }
  engine_.rendezvous().recall(*transfer, request);
  return request.result.cancelled;
}

}  // namespace earl
