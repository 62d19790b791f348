// SPDX-License-Identifier: BSD-3-Clause
/// Messages that are gone with their sender: they have not been received, and only a receive that
/// named the sender fails.
#include <catch2/catch.hpp>

#include "tests/generic/network.hpp"
#include "tests/generic/words.hpp"

using namespace earl;
using namespace earl::test;

namespace {

constexpr std::size_t long_size = 1000;

std::string text_of(Message const& message) { return text(message.body.bytes()); }

void say(Process& from, int dest, int tag, std::string const& payload) {
  from.send(to(dest, tag), bytes(payload));
}

/// Offers a long message and dies before any process can have it.
class Doomed {
 public:
  Doomed(Network& network, std::size_t rank, int dest, int tag)
      : network_(network), rank_(rank), data_(pattern(long_size)) {
    static_cast<void>(network[rank].start_send(to(dest, tag, Mode::standard), Bytes{data_}));
  }
  void die() { network_.kill(rank_); }

 private:
  Network& network_;
  std::size_t rank_;
  std::vector<std::byte> data_;
};

/// Records matches and losses.
struct Witness : Interceptor {
  std::vector<std::string> seen{};

  bool constrains_matching() const override { return false; }
  void matched(ReceiveOp const& op, Envelope const&, MessageId const& id) override {
    seen.push_back(fmt::format("matched {} {}.{}", op.post, number(id.source), id.sequence));
  }
  void lost(ReceiveOp const& op, MessageId const& id) override {
    auto const who = op.kind == OpKind::receive ? std::to_string(op.post) : std::string{"try"};
    seen.push_back(fmt::format("lost {} {}.{}", who, number(id.source), id.sequence));
  }
  void answered(ReceiveOp const&, Envelope const* found, MessageId const& id) override {
    seen.push_back(found ? fmt::format("found {}.{}", number(id.source), id.sequence) : "nothing");
  }
};

Witness& witness(Process& process) {
  auto own = std::make_unique<Witness>();
  auto& it = *own;
  process.watch(std::move(own));
  return it;
}

/// The living take in arrived messages.
void run_without(Network& network, std::size_t dead) {
  for (int round = 0; round < 8; ++round)
    for (std::size_t i = 0; i < 3; ++i)
      if (i != dead) network[i].progress();
}

using Seen = std::vector<std::string>;

}  // namespace

TEST_CASE("a receive from any source outlives the sender that it matched") {
  const Traits traits = GENERATE(plain, moving, exposing, half_exposing);
  bool const posted_first = GENERATE(true, false);
  Network network{3, traits};
  auto& log = witness(network[2]);
  std::vector<std::byte> room(long_size);
  RequestId request{};
  if (posted_first) request = network[2].start_receive({}, MutableBytes{room});
  Doomed sender{network, 0, 2, 7};
  if (traits.remote_readable && !traits.pull_refused) sender.die();  // else it is read at once
  network[2].progress();
  if (!posted_first) request = network[2].start_receive({}, MutableBytes{room});
  network[2].progress();
  sender.die();
  run_without(network, 0);
  CHECK_FALSE(network[2].test(request));
  say(network[1], 2, 3, "hello");
  Completion const got = network[2].wait(request);
  CHECK_FALSE(got.lost);
  CHECK(got.envelope.source == Rank{1});
  CHECK(got.envelope.tag == Tag{3});
  CHECK(got.delivered == 5);
  CHECK(got.id == MessageId{Rank{1}, 0});
  CHECK(text(Bytes{room}.first(5)) == "hello");
  CHECK(log.seen == Seen{"lost 0 0.0", "matched 0 1.0"});
  CHECK(network.direct_receives() == 0);
}

TEST_CASE("a receive whose message is lost keeps its place among the posted ones") {
  const Traits traits = GENERATE(plain, moving, half_exposing);
  Network network{3, traits};
  std::array<std::vector<std::byte>, 3> rooms;
  std::array<RequestId, 3> requests{};
  for (std::size_t i = 0; i < 3; ++i) {
    rooms[i].resize(long_size);
    requests[i] = network[2].start_receive({}, MutableBytes{rooms[i]});
  }
  say(network[1], 2, 1, "first");
  network[2].progress();
  Doomed sender{network, 0, 2, 7};  // goes to the second
  network[2].progress();
  sender.die();
  run_without(network, 0);
  say(network[1], 2, 1, "second");
  say(network[1], 2, 1, "third");
  run_without(network, 0);
  std::array const words{"first", "second", "third"};
  for (std::size_t i = 0; i < 3; ++i) {
    auto const got = network[2].wait(requests[i]);
    CHECK(text(Bytes{rooms[i]}.first(got.delivered)) == words[i]);
  }
}

TEST_CASE("a later message that waits goes to the receive that lost its message") {
  const Traits traits = GENERATE(plain, moving, half_exposing);
  Network network{3, traits};
  std::vector<std::byte> room(long_size);
  auto const request = network[2].start_receive(tagged(7), MutableBytes{room});
  Doomed sender{network, 0, 2, 7};
  network[2].progress();
  say(network[1], 2, 7, "older");
  say(network[1], 2, 7, "younger");
  network[2].progress();
  sender.die();
  run_without(network, 0);
  auto const got = network[2].test(request);
  REQUIRE(got);
  CHECK(text(Bytes{room}.first(got->delivered)) == "older");
  CHECK(text_of(network[2].take(tagged(7))) == "younger");
}

TEST_CASE("a receive that names the sender fails with it") {
  const Traits traits = GENERATE(plain, moving, exposing, half_exposing);
  Network network{3, traits};
  auto& log = witness(network[2]);
  Doomed sender{network, 0, 2, 7};
  sender.die();
  run_without(network, 0);
  std::vector<std::byte> room(long_size);
  Completion const got =
      network[2].receive({.source = Rank{0}, .tag = TagMatch::exactly(Tag{7})}, MutableBytes{room});
  CHECK(got.lost);
  CHECK(got.delivered == 0);
  CHECK(got.envelope.source == Rank{0});
  CHECK(log.seen == Seen{"lost 0 0.0"});
}

TEST_CASE("a take that names the sender says which process ended") {
  Network network{2, exposing};
  Doomed sender{network, 0, 1, 7};
  sender.die();
  CHECK_THROWS_WITH(network[1].take({.source = Rank{0}}),
                    Catch::Contains("process 0 ended before its message had been read"));
}

TEST_CASE("a take from any source starts with a fresh buffer after a loss") {
  const Traits traits = GENERATE(plain, moving, exposing, half_exposing);
  Network network{3, traits};
  Doomed sender{network, 0, 2, 7};
  sender.die();
  say(network[1], 2, 1, "hello");
  CHECK(text_of(network[2].take({})) == "hello");
}

TEST_CASE("a try passes over lost messages") {
  const Traits traits = GENERATE(plain, moving, exposing, half_exposing);
  bool const named = GENERATE(true, false);
  const MatchSpec spec{.source = named ? Rank{0} : any_rank};
  Network network{3, traits};
  auto& log = witness(network[2]);
  Doomed sender{network, 0, 2, 7};
  sender.die();
  CHECK_FALSE(network[2].try_take(spec));
  CHECK_FALSE(network[2].try_take(spec, Clock::now() + std::chrono::milliseconds{2}));
  CHECK_FALSE(network[2].try_probe(spec));
  CHECK(log.seen == Seen{"lost try 0.0", "nothing", "nothing", "nothing"});
}

TEST_CASE("a try gives the next message when the first is lost under way") {
  const Traits traits = GENERATE(plain, moving, half_exposing);
  Network network{3, traits};
  Doomed sender{network, 0, 2, 7};
  say(network[1], 2, 1, "hello");
  network[2].progress();
  sender.die();
  auto const got = network[2].try_take({});
  REQUIRE(got);
  CHECK(text_of(*got) == "hello");
}

TEST_CASE("a receive of one of several kinds looks on after a loss") {
  const Traits traits = GENERATE(plain, moving, exposing, half_exposing);
  Network network{3, traits};
  auto& log = witness(network[2]);
  Doomed sender{network, 0, 2, 7};
  sender.die();
  say(network[1], 2, 8, "hello");
  network[2].progress();
  std::array const specs{tagged(7), tagged(8)};
  auto const [position, message] = network[2].take_any_of(specs);
  CHECK(position == 1);
  CHECK(text_of(message) == "hello");
  CHECK(log.seen == Seen{"lost try 0.0", "found 1.0"});
}

TEST_CASE("no handler runs for a message that is lost") {
  const Traits traits = GENERATE(plain, moving, exposing, half_exposing);
  Network network{3, traits};
  Seen handled;
  network[2].handlers().add_filter({}, {.function =
                                            [](void* with, Message message) {
                                              static_cast<Seen*>(with)->push_back(text_of(message));
                                            },
                                        .with = &handled});
  Doomed sender{network, 0, 2, 7};
  sender.die();
  say(network[1], 2, 1, "hello");
  run_without(network, 0);
  CHECK(handled == Seen{"hello"});
}

TEST_CASE("the handler of a receive waits for the message that is not lost") {
  Network network{3, plain};
  std::vector<Rank> sources;
  std::vector<std::byte> room(long_size);
  auto const request = network[2].start_receive({}, MutableBytes{room});
  network[2].handlers().on_completion(
      request, {.function =
                    [](void* with, Completion const& done) {
                      static_cast<std::vector<Rank>*>(with)->push_back(done.envelope.source);
                    },
                .with = &sources});
  Doomed sender{network, 0, 2, 7};
  network[2].progress();
  sender.die();
  run_without(network, 0);
  CHECK(sources.empty());
  say(network[1], 2, 1, "hello");
  run_without(network, 0);
  CHECK(sources == std::vector{Rank{1}});
}

TEST_CASE("a probe does not see a message that died with its sender") {
  const Traits traits = GENERATE(plain, moving, exposing, half_exposing);
  Network network{3, traits};
  Doomed sender{network, 0, 2, 7};
  network[2].progress();
  CHECK(network[2].try_probe({}));
  sender.die();
  CHECK_FALSE(network[2].try_probe({}));
  say(network[1], 2, 1, "hello");
  CHECK(network[2].probe({}).envelope.source == Rank{1});
}

TEST_CASE("a probe sees a message that its sender has left behind, and it stays") {
  Network network{2, exposing};
  auto const data = pattern(long_size);
  network[0].send(to(1, 7), Bytes{data});
  network.kill(0);
  CHECK(network[1].try_probe({}));
  CHECK(network.exposures() == 1);
  CHECK(network[1].take({}).body.size() == long_size);
}

TEST_CASE("a receive goes past ten thousand lost messages") {
  const Traits traits = GENERATE(plain, exposing);
  Network network{3, traits};
  auto const data = pattern(long_size);
  for (int i = 0; i < 10'000; ++i)
    static_cast<void>(network[0].start_send(to(2, 7, Mode::standard), Bytes{data}));
  network.run_until_quiet();
  network.kill(0);
  run_without(network, 0);
  say(network[1], 2, 1, "hello");
  CHECK(text_of(network[2].take({})) == "hello");
}

namespace {

/// A replay of a run in which the first message of process 0 was lost.
struct Loser final : Witness {
  MatchOutcome verdict = MatchOutcome::taken;

  bool constrains_matching() const override { return true; }
  MatchOutcome match_outcome(ReceiveOp const&, MessageId const& id) override {
    return id == MessageId{Rank{0}, 0} ? verdict : MatchOutcome::taken;
  }
};

}  // namespace

TEST_CASE("a replay loses the message that was lost when recorded, although it comes whole now") {
  const Traits traits = GENERATE(plain, moving, exposing, half_exposing);
  const std::size_t size = GENERATE(4U, long_size);
  bool const posted_first = GENERATE(true, false);
  const MatchOutcome outcome = GENERATE(MatchOutcome::lost, MatchOutcome::vanished);
  Network network{2, traits};
  auto own = std::make_unique<Loser>();
  auto& log = *own;
  own->verdict = outcome;
  network[1].watch(std::move(own));
  auto const data = pattern(size);
  std::vector<std::byte> room(long_size);
  RequestId request{};
  const MatchSpec spec{.source = Rank{0}};
  if (posted_first) request = network[1].start_receive(spec, MutableBytes{room});
  auto const sent = network[0].start_send(to(1, 7, Mode::standard), Bytes{data});
  network.run_until_quiet();
  if (!posted_first) request = network[1].start_receive(spec, MutableBytes{room});
  network[0].send(to(1, 7), bytes(std::string{"second"}));
  network.run_until_quiet();
  auto const got = network[1].wait(request);
  CHECK(got.lost == (outcome == MatchOutcome::lost));
  if (!got.lost) CHECK(got.id == MessageId{Rank{0}, 1});
  CHECK(log.seen == (got.lost ? Seen{"lost 0 0.0"} : Seen{"lost 0 0.0", "matched 0 0.1"}));
  network[0].wait(sent);
  network.run_until_quiet();
  CHECK(network.exposures() == 0);
}
