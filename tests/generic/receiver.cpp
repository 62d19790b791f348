#include "generic/receiver.hpp"

#include <catch2/catch.hpp>

#include "tests/generic/lone_engine.hpp"

using namespace earl;
using namespace earl::test;

TEST_CASE(
    "a message that no receive has asked for waits, and the next receive that fits takes it") {
  LoneEngine lone;
  Receiver& receiver = lone.engine.receiver();
  lone.arrive(5, Bytes{pattern(8)});
  CHECK(receiver.unexpected().size() == 1);
  std::vector<std::byte> room(8);
  CHECK(receiver.receive(tagged(5), Room{room}).id == MessageId{Rank{1}, 0});
  CHECK(room == pattern(8));
  CHECK(receiver.unexpected().size() == 0);
  CHECK(receiver.posts() == 1);
  CHECK(lone.engine.outbound().receives() == 1);
}

TEST_CASE("posted receives take what arrives in the order of their posts") {
  LoneEngine lone;
  Receiver& receiver = lone.engine.receiver();
  std::vector<std::byte> room(8);
  const RequestId first = receiver.start_receive({}, Room{room});
  const RequestId second = receiver.start_receive(tagged(5), Room{room});
  lone.arrive(5, Bytes{pattern(8)});
  CHECK_FALSE(lone.engine.requests().test(second));
  CHECK(lone.engine.requests().test(first));
  CHECK(receiver.unexpected().size() == 0);
  lone.arrive(5, Bytes{pattern(8)});
  CHECK(lone.engine.requests().test(second)->id == MessageId{Rank{1}, 1});
}

TEST_CASE("a receive that refuses too long a message is complete, and the message stays") {
  LoneEngine lone;
  std::vector<std::byte> room(4);
  MatchSpec spec = tagged(5);
  spec.too_long = TooLong::refuse;
  const RequestId posted = lone.engine.receiver().start_receive(spec, Room{room});
  lone.arrive(5, Bytes{pattern(8)});
  CHECK(lone.engine.requests().test(posted)->refused);
  CHECK(lone.engine.receiver().unexpected().size() == 1);
  CHECK(lone.engine.outbound().receives() == 0);
}

TEST_CASE("a packet that is not what it says is an error") {
  LoneEngine lone;
  CHECK_THROWS_AS(lone.arrive(Kind::eager, 5, 9, Bytes{pattern(8)}), Error);
  CHECK_THROWS_AS(lone.arrive(Kind::none, 5, 0, Bytes{}), Error);
  CHECK_THROWS_AS(lone.arrive(Kind::accept, 0, 0, Bytes{}), Error);
}

TEST_CASE("with a limit of the job, what receives have taken is reported to its sender at times") {
  bool const limited = GENERATE(false, true);
  LoneEngine lone{{.packet = 128, .eager = 64}, limited ? 1024 * 1024 : 0U};
  auto const count = FlowControl::report_after / charge_of(0);
  for (std::uint64_t i = 0; i < count; ++i) {
    CHECK(lone.left().empty());
    lone.arrive(5, Bytes{});
    lone.engine.receiver().receive(tagged(5), Room{});
  }
  CHECK(lone.left() == (limited ? std::vector{Kind::credit} : std::vector<Kind>{}));
}
