// SPDX-License-Identifier: BSD-3-Clause
#include "generic/handler_queue.hpp"

#include <catch2/catch.hpp>

using namespace earl;

namespace {

const MatchSpec any_message{};
MatchSpec with_tag(int tag) { return {.tag = TagMatch::exactly(Tag{tag})}; }

Request complete_request() {
  Request request;
  request.state = Request::State::complete;
  return request;
}

}  // namespace

TEST_CASE("a completion handler is due once its request is complete, and once only") {
  HandlerQueue queue;
  CHECK_FALSE(queue.in_use());
  Request request;
  queue.attach(request, {});
  CHECK(queue.in_use());
  CHECK_FALSE(queue.contested());
  CHECK_FALSE(queue.next());
  queue.completed(request);
  auto const due = queue.next();
  REQUIRE(due);
  CHECK(due->request == &request);
  CHECK_FALSE(queue.next());
}

TEST_CASE("a filter that only answers ends no wait") {
  HandlerQueue queue;
  CHECK_FALSE(queue.may_end_waits());
  bool only_answers = true;
  auto const answering = queue.add_filter({}, {.only_answers = &only_answers});
  CHECK_FALSE(queue.may_end_waits());
  only_answers = false;
  CHECK(queue.may_end_waits());
  only_answers = true;
  auto const other = queue.add_filter({}, {});
  CHECK(queue.may_end_waits());
  CHECK(queue.remove_filter(other));
  CHECK_FALSE(queue.may_end_waits());
  CHECK(queue.remove_filter(answering));
  Request request;
  queue.attach(request, {});
  CHECK(queue.may_end_waits());
}

TEST_CASE("a handler that comes after its request is complete is due at once") {
  HandlerQueue queue;
  Request request = complete_request();
  queue.attach(request, {});
  CHECK(queue.next());
}

TEST_CASE("a request without a handler is never due") {
  HandlerQueue queue;
  Request request = complete_request();
  queue.completed(request);
  CHECK_FALSE(queue.next());
}

TEST_CASE("a replay takes the handler with a number out of the order") {
  HandlerQueue queue;
  Request first = complete_request();
  Request second = complete_request();
  queue.attach(first, {});
  queue.attach(second, {});
  CHECK_FALSE(queue.take(3));
  auto const due = queue.take(second.handler_number);
  REQUIRE(due);
  CHECK(due->request == &second);
  CHECK_FALSE(queue.take(second.handler_number));
  CHECK(queue.next()->request == &first);
}

TEST_CASE("of several filters the youngest that accepts a message gets it") {
  HandlerQueue queue;
  const FilterId all = queue.add_filter(any_message, {});
  const FilterId sevens = queue.add_filter(with_tag(7), {});
  CHECK(queue.contested());
  CHECK(queue.filter_for({.tag = Tag{7}})->id == sevens);
  CHECK(queue.filter_for({.tag = Tag{8}})->id == all);
  CHECK(queue.remove_filter(sevens));
  CHECK_FALSE(queue.remove_filter(sevens));
  CHECK(queue.filter_for({.tag = Tag{7}})->id == all);
  CHECK(queue.remove_filter(all));
  CHECK(queue.filter_for({.tag = Tag{7}}) == nullptr);
  CHECK(queue.contested());  // there have been some
}

TEST_CASE(
    "a message is due for its filter unless another receive has taken it, or the filter is gone") {
  HandlerQueue queue;
  Arrival arrival;
  queue.arrived(arrival);
  CHECK_FALSE(queue.next());  // it came before there was a filter
  const FilterId filter = queue.add_filter(any_message, {});
  queue.arrived(arrival);
  CHECK(queue.next()->arrival == &arrival);
  queue.arrived(arrival);
  ++arrival.generation;
  CHECK_FALSE(queue.next());
  queue.arrived(arrival);
  queue.remove_filter(filter);
  CHECK_FALSE(queue.next());
}

TEST_CASE(
    "handlers are held while one runs or the program masks them; a handler's mask ends with it") {
  HandlerQueue queue;
  CHECK_FALSE(queue.held());
  {
    const HandlerQueue::Run run{queue};
    CHECK(queue.running());
    CHECK(queue.held());
    CHECK_FALSE(queue.mask(true));
  }
  CHECK_FALSE(queue.held());
  CHECK_FALSE(queue.mask(true));
  CHECK(queue.held());
  CHECK(queue.mask(false));
}
