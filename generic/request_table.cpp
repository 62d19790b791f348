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

void check_room(std::span<const RequestId> ids, std::size_t room) {
  EARL_CHECK(ids.size() <= room, "{} requests and room for {} results", ids.size(), room);
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

RequestTable::BorrowedLists::BorrowedLists(RequestTable& table) : stock_(table.stock_) {
  if (stock_.empty()) return;
  lists_ = std::move(stock_.back());
  stock_.pop_back();
  lists_.requests.clear();
  lists_.positions.clear();
}

void RequestTable::find_all(std::span<const RequestId> ids, Lists& lists) {
  lists.requests.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) lists.requests[i] = &find(ids[i]);
}

void RequestTable::finish_release(Request& request) {
  request.body = {};
  if (!std::exchange(request.watched, false) || !endpoint_.debugger) return;
  Completion const& result = request.result;
  if (result.cancelled || result.lost || result.refused) return unwatch_send(name_of(request));
  if (result.receive) return endpoint_.debugger->completed(request.post);
  auto const dest = result.envelope.dest;
  if (result.envelope.mode == Mode::synchronous)
    endpoint_.debugger->completed(post_of_send(dest, result.id.sequence));
  if (watched_sends_.has(name_of(request)))
    endpoint_.debugger->send_completed({.dest = dest,
                                        .sequence = result.id.sequence,
                                        .altered = watched_sends_.take_altered(name_of(request))});
}

bool RequestTable::may_end(Request const& complete) const {
  auto const& sent = complete.result;
  if (sent.receive || !endpoint_.debugger->stands_still()) return true;
  bool open = false;
  engine_.rendezvous().each([&](Transfer const& transfer) {
    open =
        open || (transfer.dest == sent.envelope.dest && transfer.context == sent.envelope.context &&
                 transfer.sequence == static_cast<std::uint32_t>(sent.id.sequence));
  });
  return !open;
}

RequestId RequestTable::start_send(Envelope const& to, Gather const& bytes) {
  if (endpoint_.debugger || handlers_.in_use()) [[unlikely]]
    return engine_.outbound().start_send(to, bytes);
  return engine_.outbound().start_unless_over(to, bytes);
}

RequestId RequestTable::start_receive(NarrowSpec spec, Scatter const& room) {
  return engine_.receiver().start_receive(spec, room);
}

Completion RequestTable::wait(RequestId id) {
  Request& request = find(id);
  engine_.wait_running_handlers([&] { return is_over(request); }, {.request = &request});
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

/// Asks which requests are complete and lists their positions: of `test`, none if it is not so; of
/// `wait_any`, at least one.
void RequestTable::ask_debuggers_about(TestOp const& op, Lists& lists) {
  auto const& requests = lists.requests;
  auto& positions = lists.positions;
  std::span<const std::uint32_t> demanded;
  const Verdict verdict =
      endpoint_.debugger ? endpoint_.debugger->testing(op, demanded) : Verdict::free;
  positions.assign(demanded.begin(), demanded.end());
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
  if (positions.empty() && verdict != Verdict::no && answerable()) list_complete(op, lists);
  if (endpoint_.debugger) endpoint_.debugger->tested(op, positions);
  // A debugger's "no" comes of a record or a path, which end: the process does not wait.
  if (positions.empty() && !requests.empty() && verdict != Verdict::no)
    engine_.monitor().record_failed_poll(*requests.front());
}

/// The positions of all that are complete; of TestOp::one, of the one that was complete first.
void RequestTable::list_complete(TestOp const& op, Lists& lists) {
  auto const& requests = lists.requests;
  auto& positions = lists.positions;
  positions.reserve(requests.size());
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    if (!requests[i]->complete()) continue;
    if (!op.one || positions.empty())
      positions.push_back(i);
    else if (requests[i]->completed < requests[positions.front()]->completed)
      positions.front() = i;
  }
}

std::optional<Completion> RequestTable::test(RequestId id) {
  BorrowedLists lists{*this};
  find_all(std::span{&id, 1}, *lists);
  engine_.progress();
  ask_debuggers_about({.kind = OpKind::test, .requests = 1}, *lists);
  if (!lists->positions.empty()) return release(*lists->requests.front());
  port_.wait(Deadline{});
  return std::nullopt;
}

Completed RequestTable::wait_any(std::span<const RequestId> ids) {
  BorrowedLists lists{*this};
  find_all(ids, *lists);
  engine_.run_due_handlers_before([&] { return any_complete(lists->requests); },
                                  {.requests = lists->requests, .all = false});
  ask_debuggers_about({.kind = OpKind::wait_any, .requests = ids.size(), .one = true}, *lists);
  return release_one(*lists);
}

std::optional<Completed> RequestTable::test_any(std::span<const RequestId> ids) {
  engine_.progress();
  BorrowedLists lists{*this};
  find_all(ids, *lists);
  ask_debuggers_about({.kind = OpKind::test, .requests = ids.size(), .one = true}, *lists);
  if (!lists->positions.empty()) return release_one(*lists);
  port_.wait(Deadline{});
  return std::nullopt;
}

Completed RequestTable::release_one(Lists const& lists) {
  const std::uint32_t position = lists.positions.front();
  return {position, release(*lists.requests[position])};
}

std::size_t RequestTable::release_some(Lists const& lists, std::span<Completed> completed) {
  std::size_t count = 0;
  for (auto const position : lists.positions)
    completed[count++] = {position, release(*lists.requests[position])};
  return count;
}

std::size_t RequestTable::wait_some(std::span<const RequestId> ids,
                                    std::span<Completed> completed) {
  check_room(ids, completed.size());
  BorrowedLists lists{*this};
  find_all(ids, *lists);
  engine_.run_due_handlers_before([&] { return any_complete(lists->requests); },
                                  {.requests = lists->requests, .all = false});
  ask_debuggers_about({.kind = OpKind::wait_any, .requests = ids.size()}, *lists);
  return release_some(*lists, completed);
}

std::size_t RequestTable::test_some(std::span<const RequestId> ids,
                                    std::span<Completed> completed) {
  check_room(ids, completed.size());
  engine_.progress();
  BorrowedLists lists{*this};
  find_all(ids, *lists);
  ask_debuggers_about({.kind = OpKind::test, .requests = ids.size()}, *lists);
  const std::size_t released = release_some(*lists, completed);
  if (released == 0) port_.wait(Deadline{});
  return released;
}

void RequestTable::wait_all(std::span<const RequestId> ids, std::span<Completion> results) {
  check_room(ids, results.size());
  BorrowedLists lists{*this};
  find_all(ids, *lists);
  std::span<Request* const> const requests{lists->requests};
  // A request that is over stays so: each is looked at again only until it is.
  auto waited = requests.begin();
  auto const all_over = [&] {
    while (waited != requests.end() && is_over(**waited)) ++waited;
    return waited == requests.end();
  };
  engine_.wait_running_handlers(all_over, {.requests = requests});
  for (std::size_t i = 0; i < requests.size(); ++i) {
    results[i] = requests[i]->result;
    drop(*requests[i]);
  }
}

bool RequestTable::test_all(std::span<const RequestId> ids, std::span<Completion> results) {
  engine_.progress();
  BorrowedLists lists{*this};
  find_all(ids, *lists);
  if (ids.empty()) return true;
  ask_debuggers_about({.kind = OpKind::test, .requests = ids.size(), .all = true}, *lists);
  if (!lists->positions.empty()) return wait_all(ids, results), true;
  port_.wait(Deadline{});
  return false;
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
  mark_complete(request);
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
    mark_complete(request);
    return true;
  }
  engine_.rendezvous().recall(*transfer, request);
  return request.result.cancelled;
}

}  // namespace earl
