// SPDX-License-Identifier: BSD-3-Clause
/// Sends, receives and protocols, over back ends that can do more or less.
#include <catch2/catch.hpp>

#include <numeric>

#include "generic/request_table.hpp"
#include "tests/generic/network.hpp"
#include "tests/generic/words.hpp"

using namespace earl;
using namespace earl::test;

namespace {

struct Box {
  std::vector<std::byte> memory;
  explicit Box(std::size_t size) : memory(size) {}
  Scatter room() { return Scatter{MutableBytes{memory}}; }
};

}  // namespace

TEST_CASE("a message of any size arrives whole, on every kind of back end") {
  const Traits traits = GENERATE(plain, moving, keeping, exposing, half_exposing);
  const std::size_t size = GENERATE(0U, 1U, 64U, 65U, 1000U, 10'000U);
  const Mode mode = GENERATE(Mode::buffered, Mode::standard, Mode::synchronous);
  Network network{2, traits};
  auto const data = pattern(size);
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) return me.send(to(1, 1, mode), Bytes{data});
    Box box{size};
    const Completion got = me.receive(tagged(1), box.room());
    CHECK(got.envelope.source == Rank{0});
    CHECK(got.delivered == size);
    CHECK_FALSE(got.truncated);
    CHECK(got.id == MessageId{Rank{0}, 0});
    CHECK(box.memory == data);
  });
  network.run_until_quiet();
  CHECK(network.exposures() == 0);
  CHECK(network.direct_receives() + network.lent() == 0);
}

TEST_CASE("a message to all arrives at each, in order, on every kind of back end") {
  const Traits traits = GENERATE(plain, moving, keeping, exposing, multicasting);
  const std::size_t size = GENERATE(0U, 64U, 65U, 1000U);
  const Mode mode = GENERATE(Mode::buffered, Mode::standard, Mode::synchronous);
  Network network{4, traits};
  auto const data = pattern(size);
  const std::vector<Rank> others{Rank{1}, Rank{3}};
  network.run([&](Process& me) {
    const auto round = [&](int tag, std::size_t length) {
      Box box{length};
      CHECK(me.receive({}, box.room()).envelope.tag == Tag{tag});
      if (length == size) CHECK(box.memory == data);
    };
    if (me.rank() == Rank{0}) {
      me.send(to(3, 1), Bytes{});
      me.send_to_all(others, to(0, 2, mode), Bytes{data});
      return me.send(to(3, 3), Bytes{});
    }
    if (me.rank() == Rank{2}) return;
    if (me.rank() == Rank{3}) round(1, 0);
    round(2, size);
    if (me.rank() == Rank{3}) round(3, 0);
  });
  bool const at_once = traits.multicasts && size <= traits.eager && mode != Mode::synchronous;
  CHECK(network.multicasts() == (at_once ? 1 : 0));
}

TEST_CASE("messages to many at once wait in order where there is no room, and come home") {
  Network network{3, {.room = 2, .multicasts = true}};
  const std::vector<Rank> all{Rank{0}, Rank{1}, Rank{2}};
  for (int i = 0; i < 10; ++i) network[0].send_to_all(all, to(0, i), Bytes{});
  CHECK(network.multicasts() > 0);
  CHECK(network.multicasts() < 10);
  for (std::size_t rank = 0; rank < 3; ++rank)
    for (int i = 0; i < 10; ++i) CHECK(network[rank].receive({}, Scatter{}).envelope.tag == Tag{i});
}

TEST_CASE("a send to all does not wait for a receiver that dies meanwhile") {
  Network network{3, exposing};
  auto const data = pattern(10'000);
  const std::vector<Rank> others{Rank{1}, Rank{2}};
  network.run([&](Process& me) {
    if (me.rank() == Rank{0})
      return me.send_to_all(others, to(0, 1, Mode::synchronous), Bytes{data});
    if (me.rank() == Rank{1}) return;
    Box box{data.size()};
    CHECK(me.receive(tagged(1), box.room()).delivered == data.size());
  });
}

TEST_CASE("a back end that moves brings a long message whole, and nothing shorter") {
  Network network{2, moving};
  const std::size_t size = GENERATE(64U, 65U, 10'000U);
  const std::size_t room = GENERATE(0U, 50U, 20'000U);
  auto const data = pattern(size);
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) return me.send(to(1, 1, Mode::standard), Bytes{data});
    Box box{room};
    CHECK(me.receive(tagged(1), box.room()).delivered == std::min(room, size));
    CHECK(std::equal(data.begin(), data.begin() + static_cast<long>(std::min(room, size)),
                     box.memory.begin()));
  });
  CHECK(network.brought() == (size > 64 && room != 0 ? 1 : 0));
  CHECK(network.direct_receives() + network.lent() == 0);
}

TEST_CASE("gathered pieces are one message, scattered memory takes it apart") {
  const Traits traits = GENERATE(plain, moving, exposing);
  Network network{2, traits};
  auto const data = pattern(500);
  const std::array<Bytes, 3> parts{Bytes{data}.first(100), Bytes{}, Bytes{data}.subspan(100)};
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) return me.send(to(1), Gather{std::span<const Bytes>{parts}});
    Box front{450};
    Box back{100};
    const std::array<MutableBytes, 2> rooms{MutableBytes{front.memory}, MutableBytes{back.memory}};
    const Completion got = me.receive(tagged(1), Scatter{std::span<const MutableBytes>{rooms}});
    CHECK(got.delivered == 500);
    CHECK(std::equal(front.memory.begin(), front.memory.end(), data.begin()));
    CHECK(std::equal(data.begin() + 450, data.end(), back.memory.begin()));
  });
}

TEST_CASE("a buffered send never waits for its receiver, at any size") {
  const Traits traits = GENERATE(plain, moving, keeping, exposing);
  Network network{2, traits};
  auto data = pattern(5000);
  auto const original = data;
  for (int i = 0; i < 40; ++i) network[0].send(to(1, 1), Bytes{data}.first(10));
  network[0].send(to(1, 2), Bytes{data});
  std::fill(data.begin(), data.end(), std::byte{0});  // the buffer is the program's again
  network.run_until_quiet();
  Box box{5000};
  network[1].receive(tagged(2), box.room());
  CHECK(box.memory == original);
}

TEST_CASE("messages of one channel never overtake, also through the outbox") {
  const Traits traits = GENERATE(plain, moving, keeping, exposing);
  Network network{2, traits};
  network.run([&](Process& me) {
    std::array<std::uint32_t, 100> numbers{};
    for (std::uint32_t i = 0; i < 200; ++i) {
      numbers.fill(i);
      // Long and short ones in turn: an offer keeps the place of its message.
      const std::size_t size = i % 3 == 0 ? 400 : 4;
      if (me.rank() == Rank{0}) {
        me.send(to(1, 1), bytes(numbers).first(size));
      } else {
        std::array<std::uint32_t, 100> got{};
        const auto done = me.receive({}, MutableBytes{std::as_writable_bytes(std::span{got})});
        REQUIRE(got[0] == i);
        REQUIRE(done.id.sequence == i);
      }
    }
  });
}

TEST_CASE("a receive with too little room cuts the message and says how long it was") {
  const std::size_t size = GENERATE(60U, 600U);
  Network network{2, exposing};
  auto const data = pattern(size);
  network[0].send(to(1), Bytes{data});
  Box box{10};
  const Completion got = network[1].receive(tagged(1), box.room());
  CHECK(got.truncated);
  CHECK(got.delivered == 10);
  CHECK(got.envelope.length == size);
  CHECK(std::equal(box.memory.begin(), box.memory.end(), data.begin()));
}

TEST_CASE("a narrow receive takes what the same spec does, here or yet to come") {
  Network network{2, exposing};
  Process& me = network[1];
  Box box{8};
  auto const narrow = [](int source, Tag tag) {
    return NarrowSpec{Rank{source}, common_context, tag};
  };
  auto const send = [&](int tag, std::size_t size) {
    network[0].send(to(1, tag), Bytes{pattern(size)});
    network.run_until_quiet();
  };
  send(1, 8);
  SECTION("of the only message there is") {
    CHECK(me.receive_narrow(narrow(0, Tag{1}), box.room()).envelope.tag == Tag{1});
  }
  SECTION("of several, by tag, by source, any") {
    send(2, 4);
    send(3, 8);
    CHECK(me.receive_narrow(narrow(-1, Tag{2}), box.room()).delivered == 4);
    CHECK(me.receive_narrow(narrow(0, any_tag), box.room()).envelope.tag == Tag{1});
    CHECK(me.receive_narrow(narrow(-1, any_tag), box.room()).id.sequence == 2);
  }
  SECTION("not of another context, source or tag") {
    const Context other = context_of(Space::user, 7);
    CHECK_THROWS_AS(me.receive_narrow(NarrowSpec{any_rank, other, any_tag}, box.room()), Stuck);
    CHECK_THROWS_AS(me.receive_narrow(narrow(1, Tag{1}), box.room()), Stuck);
    CHECK_THROWS_AS(me.receive_narrow(narrow(0, Tag{2}), box.room()), Stuck);
    CHECK(me.try_probe(tagged(1)));
  }
  SECTION("one that is too long is cut or refused") {
    send(2, 20);
    CHECK(me.receive_narrow(narrow(0, Tag{2}), box.room(), TooLong::refuse).refused);
    CHECK(me.receive_narrow(narrow(0, Tag{2}), box.room()).truncated);
  }
}

TEST_CASE("a receive that refuses leaves the message in the queue") {
  const std::size_t size = GENERATE(60U, 600U);
  bool const posted_first = GENERATE(false, true);
  Network network{2, exposing};
  auto const data = pattern(size);
  MatchSpec spec = tagged(1);
  spec.too_long = TooLong::refuse;
  Box small{10};
  Box large{size};
  RequestId request = no_request;
  if (posted_first) request = network[1].start_receive(spec, small.room());
  network[0].send(to(1), Bytes{data});
  network.run_until_quiet();
  if (!posted_first) request = network[1].start_receive(spec, small.room());
  const Completion refused = network[1].wait(request);
  CHECK(refused.refused);
  CHECK(refused.delivered == 0);
  CHECK(refused.envelope.length == size);
  CHECK(network[1].receive(spec, large.room()).delivered == size);
  CHECK(large.memory == data);
}

TEST_CASE("take hands over the whole message") {
  const std::size_t size = GENERATE(0U, 5U, 64U, 200U, 3000U);
  bool const waiting = GENERATE(false, true);
  Network network{2, exposing};
  auto const data = pattern(size);
  network[0].send(to(1), Bytes{data});
  if (waiting) network.run_until_quiet();
  const Message got = network[1].take({});
  CHECK(got.body.size() == size);
  CHECK(std::equal(data.begin(), data.end(), got.body.data()));
}

TEST_CASE("tries say no at once, and yes when something is there") {
  Network network{2, exposing};
  CHECK_FALSE(network[1].try_take({}));
  CHECK_FALSE(network[1].try_probe({}));
  network[0].send(to(1, 4), bytes(std::string{"x"}));
  network.run_until_quiet();
  REQUIRE(network[1].try_probe(tagged(4)));
  CHECK(network[1].probe(tagged(4)).envelope.length == 1);
  CHECK_FALSE(network[1].try_take(tagged(5)));
  auto const got = network[1].try_take(tagged(4));
  REQUIRE(got);
  CHECK(text(got->body.bytes()) == "x");
  CHECK_FALSE(network[1].try_probe({}));
}

TEST_CASE("a self-send waits in the own queue") {
  Network network{1};
  auto const data = pattern(1000);
  network[0].send(to(0, 1, Mode::standard), Bytes{data});
  Box box{1000};
  CHECK(network[0].receive(tagged(1), box.room()).envelope.source == Rank{0});
  CHECK(box.memory == data);
}

TEST_CASE("requests complete, are released, and are not known afterwards") {
  Network network{2, exposing};
  Box box{100};
  const RequestId request = network[1].start_receive(tagged(1), box.room());
  CHECK_FALSE(network[1].test(request));
  network[0].send(to(1), bytes(std::string{"hello"}));
  network.run_until_quiet();
  auto const done = network[1].test(request);
  REQUIRE(done);
  CHECK(done->delivered == 5);
  CHECK_THROWS_AS(network[1].test(request), Error);
  CHECK_THROWS_AS(network[1].wait(no_request), Error);
}

TEST_CASE("wait_any gives the one that is complete") {
  Network network{2, exposing};
  Box a{8};
  Box b{8};
  const std::array requests{network[1].start_receive(tagged(1), a.room()),
                            network[1].start_receive(tagged(2), b.room())};
  network[0].send(to(1, 2), bytes(std::string{"b"}));
  auto const [position, done] = network[1].requests().wait_any(requests);
  CHECK(position == 1);
  CHECK(done.envelope.tag == Tag{2});
}

TEST_CASE("a cancelled receive takes nothing") {
  Network network{2, exposing};
  Box box{8};
  const RequestId request = network[1].start_receive({}, box.room());
  CHECK(network[1].cancel(request));
  CHECK(network[1].wait(request).cancelled);
  network[0].send(to(1), bytes(std::string{"x"}));
  network.run_until_quiet();
  CHECK(network[1].try_probe({}));
}

TEST_CASE("950 posted receives are filled in post order") {
  Network network{2, exposing};
  std::vector<std::uint32_t> values(950);
  std::vector<RequestId> requests;
  for (auto& value : values)
    requests.push_back(
        network[1].start_receive({}, MutableBytes{std::as_writable_bytes(std::span{&value, 1})}));
  for (std::uint32_t i = 0; i < 950; ++i) {
    network[0].send(to(1, static_cast<int>(i)), bytes_of(i));
    network.run_until_quiet();
  }
  for (auto const request : requests) network[1].wait(request);
  std::vector<std::uint32_t> expected(950);
  std::iota(expected.begin(), expected.end(), 0U);
  CHECK(values == expected);
}

TEST_CASE("a rank that was never given is an error, one that has ended is not") {
  Network network{2, exposing};
  CHECK_THROWS_WITH(network[0].send(to(2), {}), Catch::Contains("no process 2"));
  network.kill(1);
  auto const data = pattern(1000);
  network[0].send(to(1), Bytes{data}.first(8));
  network[0].send(to(1, 1, Mode::standard), Bytes{data});
  network[0].send(to(1), Bytes{data});
  network[0].leave();
  CHECK(network.exposures() == 0);
}

TEST_CASE("a sender does not wait for a receiver that dies meanwhile") {
  const Traits traits = GENERATE(plain, moving, exposing);
  Network network{2, traits};
  auto const data = pattern(1000);
  const RequestId request = network[0].start_send(to(1, 1, Mode::standard), Bytes{data});
  network.kill(1);
  CHECK(network[0].wait(request).lost);
}

TEST_CASE("a copied message outlives its sender, others are lost with it") {
  Network network{2, exposing};
  auto const data = pattern(1000);
  network[0].send(to(1, 1), Bytes{data});
  auto open = network[0].start_send(to(1, 2, Mode::standard), Bytes{data});
  network.run_until_quiet();
  network.kill(0);
  Box box{1000};
  CHECK(network[1].receive(tagged(1), box.room()).delivered == 1000);
  CHECK(network[1].receive({.source = Rank{0}}, box.room()).lost);
  static_cast<void>(open);
}

TEST_CASE("an offer of a peer that is gone is here, and its memory may be another's") {
  Network network{2, exposing};
  auto const data = pattern(1000);
  network[0].send(to(1, 1), Bytes{data});
  network.run_until_quiet();
  network.kill(0);
  network[1].progress();
  network.forget_exposures();
  CHECK(std::ranges::equal(network[1].take(tagged(1)).body.bytes(), data));
}

TEST_CASE("messages to peers that are gone are counted and dropped, however often") {
  const Traits traits = GENERATE(plain, moving, exposing);
  Network network{3, traits};
  auto const data = pattern(1000);
  network[0].send(to(1), Bytes{data}.first(8));
  network[1].progress();
  network.kill(1);
  for (int n = 0; n < 3; ++n) {
    network[0].send(to(1), Bytes{data}.first(8));
    network[0].send(to(1), Bytes{data});
    network[0].progress();
  }
  network[2].send(to(0, 5), Bytes{data});
  CHECK(std::ranges::equal(network[0].take(tagged(5)).body.bytes(), data));
  network[0].leave();
}

TEST_CASE("a message that no process could read is read from the copy its sender left behind") {
  Network network{2, half_exposing};
  auto const data = pattern(1000);
  Box box{1000};
  const RequestId request = network[1].start_receive(tagged(2), box.room());
  auto const open = network[0].start_send(to(1, 2, Mode::standard), Bytes{data});
  network[1].progress();  // fails to read, and asks for the bytes
  network[0].leave();     // puts them aside, and is never notified of that
  network.kill(0);
  CHECK(network[1].wait(request).delivered == 1000);
  CHECK(box.memory == data);
  static_cast<void>(open);
}

TEST_CASE("leaving moves open sends to memory that outlives the process") {
  Network network{2, exposing};
  auto const data = pattern(1000);
  auto open = network[0].start_send(to(1, 2, Mode::standard), Bytes{data});
  network[0].leave();
  network.kill(0);
  Box box{1000};
  CHECK(network[1].receive(tagged(2), box.room()).delivered == 1000);
  CHECK(box.memory == data);
  static_cast<void>(open);
}

TEST_CASE("a wildcard receive of one context never sees another") {
  Network network{2, exposing};
  network[0].send({.dest = Rank{1}, .context = context_of(Space::user, 5), .tag = Tag{1}}, {});
  network[0].send({.dest = Rank{1}, .context = context_of(Space::collective, 0)}, {});
  network.run_until_quiet();
  CHECK_FALSE(network[1].try_probe({}));
  CHECK(network[1].try_probe({.any_user_context = true}));
}

TEST_CASE("the outbox empties itself as the receiver makes room") {
  Network network{2, plain};
  for (std::uint32_t i = 0; i < 100; ++i) network[0].send(to(1), bytes_of(i));
  CHECK(network.largest_queue <= plain.room);
  network.run_until_quiet();
  for (std::uint32_t i = 0; i < 100; ++i) {
    const Message got = network[1].take({});
    CHECK(std::memcmp(got.body.data(), &i, sizeof i) == 0);
  }
}

namespace {

/// Demands one outcome, as a replay does.
struct Demand : Interceptor {
  Verdict verdict = Verdict::free;
  MessageId id{};
  int noes = 0;
  std::vector<std::string> seen;

  Verdict posting(ReceiveOp& op) override {
    if (op.kind == OpKind::receive || verdict == Verdict::yes) {
      op.spec.pinned = true;
      op.spec.source = id.source;
      op.spec.sequence = id.sequence;
    }
    return noes-- > 0 ? Verdict::no : verdict;
  }
  void matched(ReceiveOp const& op, Envelope const&, MessageId const& found) override {
    seen.push_back(fmt::format("matched {} {}.{}", op.post, number(found.source), found.sequence));
  }
  void answered(ReceiveOp const&, Envelope const* found, MessageId const& message) override {
    seen.push_back(found ? fmt::format("found {}", message.sequence) : "nothing");
  }
};

}  // namespace

TEST_CASE("a demanded message is taken even when an older one would match") {
  Network network{3, exposing};
  auto demand = std::make_unique<Demand>();
  auto& watch = *demand;
  network[2].watch(std::move(demand));
  for (std::uint32_t i = 0; i < 2; ++i)
    for (std::size_t sender = 0; sender < 2; ++sender) network[sender].send(to(2), bytes_of(i));
  network.run_until_quiet();
  watch.id = {Rank{1}, 1};
  std::uint32_t got = 9;
  auto const done =
      network[2].receive({}, MutableBytes{std::as_writable_bytes(std::span{&got, 1})});
  CHECK(got == 1);
  CHECK(done.envelope.source == Rank{1});
  CHECK(watch.seen == std::vector<std::string>{"matched 0 1.1"});
}

TEST_CASE("a demanded no does not look, a demanded yes waits") {
  Network network{2, exposing};
  auto demand = std::make_unique<Demand>();
  auto& watch = *demand;
  watch.noes = 2;
  watch.verdict = Verdict::yes;
  watch.id = {Rank{0}, 1};
  network[1].watch(std::move(demand));
  network[0].send(to(1), {});
  network[0].send(to(1), {});
  network.run_until_quiet();
  CHECK_FALSE(network[1].try_probe({}));
  CHECK_FALSE(network[1].try_take({}));
  REQUIRE(network[1].try_take({}));
  CHECK(watch.seen == std::vector<std::string>{"nothing", "nothing", "found 1"});
}

namespace {

/// Only listens.
struct Listener : Interceptor {
  std::vector<std::string> seen;

  bool constrains_matching() const override { return false; }
  Verdict posting(ReceiveOp& op) override {
    seen.push_back(fmt::format("posting {}", op.post));
    return Verdict::free;
  }
  void matched(ReceiveOp const& op, Envelope const&, MessageId const& found) override {
    seen.push_back(fmt::format("matched {} {}.{}", op.post, number(found.source), found.sequence));
  }
};

struct QuickListener final : Listener {
  void received(ReceiveOp const& op, Envelope const&, MessageId const& found) override {
    seen.push_back(fmt::format("received {} {}.{}", op.post, number(found.source), found.sequence));
  }
};

std::vector<std::string> events_of_three_receives(std::unique_ptr<Listener> listener) {
  Network network{2, exposing};
  auto& watch = *listener;
  network[1].watch(std::move(listener));
  for (std::uint32_t i = 0; i < 2; ++i) network[0].send(to(1), bytes_of(i));
  network.run_until_quiet();
  network[1].receive({}, {});
  auto const posted = network[1].start_receive({}, {});
  auto const early = network[1].start_receive({}, {});
  network[0].send(to(1), {});
  network.run_until_quiet();
  network[1].wait(posted);
  network[1].wait(early);
  return watch.seen;
}

}  // namespace

TEST_CASE("an observer gets in one call a receive whose message is there") {
  std::vector<std::string> const rest{"posting 1", "matched 1 0.1", "posting 2", "matched 2 0.2"};
  auto seen = events_of_three_receives(std::make_unique<QuickListener>());
  CHECK(seen.front() == "received 0 0.0");
  CHECK(std::vector(seen.begin() + 1, seen.end()) == rest);
  seen = events_of_three_receives(std::make_unique<Listener>());
  CHECK(std::vector(seen.begin(), seen.begin() + 2) ==
        std::vector<std::string>{"posting 0", "matched 0 0.0"});
  CHECK(std::vector(seen.begin() + 2, seen.end()) == rest);
}

TEST_CASE("several debuggers get all events, and the first that demands is obeyed") {
  Network network{2, exposing};
  auto first = std::make_unique<Demand>();
  auto second = std::make_unique<Demand>();
  auto& one = *first;
  auto& two = *second;
  one.noes = two.noes = 1;
  two.verdict = Verdict::yes;
  two.id = {Rank{0}, 0};
  network[1].watch(std::move(first));
  network[1].watch(std::move(second));
  network[0].send(to(1), {});
  network.run_until_quiet();
  CHECK_FALSE(network[1].try_take({}));
  CHECK(network[1].try_take({}));
  CHECK(one.seen == std::vector<std::string>{"nothing", "found 0"});
  CHECK(two.seen == one.seen);
}
