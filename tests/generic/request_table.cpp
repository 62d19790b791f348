// SPDX-License-Identifier: BSD-3-Clause
#include "generic/request_table.hpp"

#include <catch2/catch.hpp>

#include "tests/generic/lone_engine.hpp"

using namespace earl;
using namespace earl::test;

namespace {

struct Posted {
  LoneEngine lone;
  std::array<RequestId, 3> ids{};
  RequestTable& requests = lone.engine.requests();

  Posted() {
    for (int tag = 0; tag < 3; ++tag)
      ids[static_cast<std::size_t>(tag)] =
          lone.engine.receiver().start_receive(tagged(tag), Scatter{});
  }
};

}  // namespace

TEST_CASE("a request is named until it is released, and never again") {
  Posted on;
  CHECK_FALSE(on.requests.test(on.ids[0]));
  on.lone.arrive(0, Bytes{});
  CHECK(on.requests.wait(on.ids[0]).envelope.tag == Tag{0});
  CHECK_THROWS_AS(on.requests.test(on.ids[0]), Error);
}

TEST_CASE("of several requests the one that was complete first is given, some, or all at once") {
  Posted on;
  std::array<Completed, 3> some;
  std::array<Completion, 3> all;
  CHECK_FALSE(on.requests.test_any(on.ids));
  CHECK(on.requests.test_some(on.ids, some) == 0);
  on.lone.arrive(2, Bytes{});
  on.lone.arrive(1, Bytes{});
  CHECK_FALSE(on.requests.test_all(on.ids, all));
  SECTION("one") { CHECK(on.requests.wait_any(on.ids).position == 2); }
  SECTION("one, without waiting") { CHECK(on.requests.test_any(on.ids)->position == 2); }
  SECTION("some") {
    REQUIRE(on.requests.wait_some(on.ids, some) == 2);
    CHECK(some[0].position == 1);
    CHECK(some[1].position == 2);
  }
  SECTION("all") {
    on.lone.arrive(0, Bytes{});
    on.requests.wait_all(on.ids, all);
    CHECK(all[2].envelope.tag == Tag{2});
  }
}

TEST_CASE("a cancelled receive takes nothing, one that has its message is not cancelled") {
  Posted on;
  CHECK(on.requests.cancel(on.ids[0]));
  CHECK(on.requests.wait(on.ids[0]).cancelled);
  on.lone.arrive(0, Bytes{});
  CHECK(on.lone.engine.receiver().unexpected().size() == 1);
  on.lone.arrive(1, Bytes{});
  CHECK_FALSE(on.requests.cancel(on.ids[1]));
}

TEST_CASE("the handler of a request is due when it is complete") {
  Posted on;
  on.lone.engine.handlers().attach(on.requests.find(on.ids[0]), {});
  CHECK_FALSE(on.lone.engine.handlers().next());
  on.requests.finished(on.requests.find(on.ids[0]));
  CHECK(on.lone.engine.handlers().next());
}

TEST_CASE("a short send has no request, unless a handler may run or the receiver must have it") {
  Posted on;
  constexpr std::array<std::byte, 8> word{};
  Envelope to{.dest = Rank{1}, .tag = Tag{7}};
  Gather const bytes{Bytes{word}};
  SECTION("it is over") {
    CHECK(on.requests.start_send(to, bytes) == no_request);
    CHECK(on.lone.left() == std::vector{Kind::eager});
  }
  SECTION("a synchronous one") {
    to.mode = Mode::synchronous;
    RequestId const sent = on.requests.start_send(to, bytes);
    REQUIRE(sent != no_request);
    CHECK_FALSE(on.requests.test(sent));
  }
  SECTION("a synchronous one to a process that has ended is lost") {
    to.mode = Mode::synchronous;
    on.lone.port.dead.insert(Rank{1});
    RequestId const sent = on.requests.start_send(to, bytes);
    REQUIRE(sent != no_request);
    CHECK(on.requests.wait(sent).lost);
  }
  SECTION("with a handler") {
    on.lone.engine.add_filter({.tag = TagMatch::exactly(Tag{99})}, {});
    RequestId const sent = on.requests.start_send(to, bytes);
    REQUIRE(sent != no_request);
    CHECK(on.requests.wait(sent).envelope.tag == Tag{7});
  }
}

TEST_CASE("a receive of the commonest spec is as one of any") {
  Posted on;
  std::array<std::byte, 4> room{};
  RequestId const one =
      on.requests.start_receive(NarrowSpec{any_rank, common_context, Tag{9}}, Scatter{room});
  RequestId const any =
      on.requests.start_receive(NarrowSpec{Rank{1}, common_context, any_tag}, Scatter{room});
  constexpr std::array<std::byte, 8> word{std::byte{1}};
  on.lone.arrive(9, Bytes{word});
  on.lone.arrive(9, Bytes{word});
  Completion const first = on.requests.wait(one);
  CHECK(first.truncated);
  CHECK(first.delivered == 4);
  CHECK(room[0] == std::byte{1});
  CHECK(on.requests.wait(any).envelope.tag == Tag{9});
}
