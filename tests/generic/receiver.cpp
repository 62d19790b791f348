// SPDX-License-Identifier: BSD-3-Clause
#include "generic/receiver.hpp"

#include <catch2/catch.hpp>
#include <set>

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
  CHECK(receiver.receive(tagged(5), MutableBytes{room}).id == MessageId{Rank{1}, 0});
  CHECK(room == pattern(8));
  CHECK(receiver.unexpected().size() == 0);
  CHECK(receiver.posts() == 1);
  CHECK(receiver.receives() == 1);
}

TEST_CASE("posted receives take what arrives in the order of their posts") {
  LoneEngine lone;
  Receiver& receiver = lone.engine.receiver();
  std::vector<std::byte> room(8);
  const RequestId first = receiver.start_receive({}, MutableBytes{room});
  const RequestId second = receiver.start_receive(tagged(5), MutableBytes{room});
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
  const RequestId posted = lone.engine.receiver().start_receive(spec, MutableBytes{room});
  lone.arrive(5, Bytes{pattern(8)});
  CHECK(lone.engine.requests().test(posted)->refused);
  CHECK(lone.engine.receiver().unexpected().size() == 1);
  CHECK(lone.engine.receiver().receives() == 0);
}

TEST_CASE("debuggers get the word of a message before a receive has the message") {
  struct Words final : Interceptor {
    explicit Words(std::vector<std::uint64_t>& log) : log_(log) {}
    void piggyback_arrived(MessageId const& id, std::uint64_t word) override {
      log_.insert(log_.end(), {id.sequence, word});
    }
    void matched(ReceiveOp const&, Envelope const&, MessageId const& id) override {
      log_.push_back(100 + id.sequence);
    }
    std::vector<std::uint64_t>& log_;
  };
  LoneEngine lone;
  std::vector<std::uint64_t> log;
  lone.engine.watch(std::make_unique<Words>(log));
  const RequestId posted = lone.engine.receiver().start_receive({}, Scatter{});
  const Piggyback piggyback{.sequence = 0, .word = 7};
  lone.send(Kind::piggyback, 0, sizeof piggyback, bytes_of(piggyback));
  lone.send(5);
  lone.engine.progress();
  CHECK(log == std::vector<std::uint64_t>{0, 7, 100});
  CHECK(lone.engine.requests().test(posted));
}

namespace {

/// Admits the messages of some numbers.
struct Admits final : MatchGuard {
  explicit Admits(std::set<std::uint64_t> numbers) : admitted(std::move(numbers)) {}
  bool admits(Envelope const&, MessageId const& id) override {
    asked.push_back(id.sequence);
    return admitted.contains(id.sequence);
  }
  std::span<Rank const> sources() const override { return from; }
  std::set<std::uint64_t> admitted;
  std::vector<Rank> from{Rank{1}};
  std::vector<std::uint64_t> asked{};
};

MatchSpec guarded_by(Admits& guard) {
  MatchSpec spec = tagged(5);
  spec.pinned = true;
  spec.guard = &guard;
  return spec;
}

}  // namespace

TEST_CASE("a guarded receive asks about what its spec accepts, and takes what is admitted") {
  bool const posted_first = GENERATE(false, true);
  LoneEngine lone;
  Receiver& receiver = lone.engine.receiver();
  Admits guard({2});
  const MatchSpec spec = guarded_by(guard);
  RequestId guarded{};
  if (posted_first) guarded = receiver.start_receive(spec, Scatter{});
  for (int const tag : {5, 6, 5, 5}) lone.arrive(Kind::eager, tag, 0, Bytes{});
  if (!posted_first) guarded = receiver.start_receive(spec, Scatter{});
  CHECK(lone.engine.requests().test(guarded)->id == MessageId{Rank{1}, 2});
  CHECK(guard.asked == std::vector<std::uint64_t>{0, 2});
  CHECK(receiver.unexpected().size() == 3);
}

TEST_CASE("in a long queue a guarded receive looks at the oldest message of each source") {
  LoneEngine lone;
  Receiver& receiver = lone.engine.receiver();
  Admits guard({2});
  const MatchSpec spec = guarded_by(guard);
  for (int i = 0; i < 10; ++i) lone.arrive(Kind::eager, i < 2 ? 6 : 5, 0, Bytes{});
  CHECK(lone.engine.requests().test(receiver.start_receive(spec, Scatter{}))->id ==
        MessageId{Rank{1}, 2});
  CHECK(guard.asked == std::vector<std::uint64_t>{2});
  CHECK_FALSE(lone.engine.requests().test(receiver.start_receive(spec, Scatter{})));
  CHECK(guard.asked == std::vector<std::uint64_t>{2, 3});
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
    lone.engine.receiver().receive(tagged(5), MutableBytes{});
  }
  CHECK(lone.left() == (limited ? std::vector{Kind::credit} : std::vector<Kind>{}));
}
