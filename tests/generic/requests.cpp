// SPDX-License-Identifier: BSD-3-Clause
/// Modes of sends, taking back, several requests or specs at once, and flushing.
#include <catch2/catch.hpp>

#include "generic/request_table.hpp"
#include "tests/generic/network.hpp"
#include "tests/generic/words.hpp"

using namespace earl;
using namespace earl::test;

namespace {

struct RequestMemory {
  std::array<std::byte, 500> bytes{};
  Scatter room() { return Scatter{MutableBytes{bytes}}; }
};

}  // namespace

TEST_CASE("a synchronous send of any size completes when the receiver has the data, not before") {
  const Traits traits = GENERATE(plain, moving, exposing);
  const std::size_t size = GENERATE(0U, 8U, 500U);
  Network network{2, traits};
  const std::vector<std::byte> data(size);
  const RequestId sent = network[0].start_send(to(1, 1, Mode::synchronous), Bytes{data});
  network.run_until_quiet();
  CHECK_FALSE(network[0].test(sent));
  RequestMemory memory;
  network[1].receive(tagged(1), memory.room());
  network.run_until_quiet();
  CHECK(network[0].test(sent));
  network.run_until_quiet();
  CHECK(network.exposures() == 0);
}

TEST_CASE("a synchronous send to oneself completes when it is received") {
  const std::size_t size = GENERATE(0U, 8U, 500U);
  Network network{1};
  const std::vector<std::byte> data(size);
  const RequestId waiting = network[0].start_send(to(0, 1, Mode::synchronous), Bytes{data});
  CHECK_FALSE(network[0].test(waiting));
  RequestMemory memory;
  CHECK(network[0].receive(tagged(1), memory.room()).delivered == size);
  CHECK(network[0].test(waiting));
  const RequestId posted = network[0].start_receive(tagged(2), memory.room());
  network[0].send(to(0, 2, Mode::synchronous), Bytes{data});
  CHECK(network[0].wait(posted).delivered == size);
}

TEST_CASE("a ready send is a send whose receive is there") {
  const std::size_t size = GENERATE(8U, 500U);
  Network network{2, exposing};
  const std::vector<std::byte> data(size);
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) {
      me.take({});
      return me.send(to(1, 1, Mode::ready), Bytes{data});
    }
    RequestMemory memory;
    const RequestId posted = me.start_receive(tagged(1), memory.room());
    me.send(to(0), {});
    const Completion done = me.wait(posted);
    CHECK(done.delivered == size);
    CHECK(done.envelope.mode == Mode::ready);
  });
}

TEST_CASE("a synchronous message is hidden from receives of buffered ones only") {
  Network network{2, exposing};
  auto const open = network[0].start_send(to(1, 1, Mode::synchronous), {});
  network[0].send(to(1, 2), {});
  network.run_until_quiet();
  MatchSpec const any{.buffered_only = true};
  CHECK(network[1].try_probe(any)->envelope.tag == Tag{2});
  for (MatchSpec spec : {tagged(1), MatchSpec{.source = Rank{0}, .tag = tagged(1).tag},
                         MatchSpec{.any_user_context = true, .tag = tagged(1).tag}}) {
    spec.buffered_only = true;
    CHECK_FALSE(network[1].try_probe(spec));
    spec.buffered_only = false;
    CHECK(network[1].try_probe(spec));
  }
  static_cast<void>(open);
}

TEST_CASE("a send is taken back if nothing has matched it") {
  const Traits traits = GENERATE(plain, moving, exposing);
  const std::size_t size = GENERATE(0U, 500U);
  Network network{2, traits};
  const std::vector<std::byte> data(size);
  const RequestId sent = network[0].start_send(to(1, 1, Mode::synchronous), Bytes{data});
  network.run_until_quiet();
  CHECK(network[0].cancel(sent));
  CHECK(network[0].wait(sent).cancelled);
  CHECK_FALSE(network[1].try_probe({}));
  CHECK(network.exposures() == 0);
  // The next message of the channel is not in its way.
  network[0].send(to(1, 1), Bytes{data});
  CHECK(network[1].take({}).id == MessageId{Rank{0}, 1});
}

TEST_CASE("a send that has been matched or is complete is not taken back") {
  const Traits traits = GENERATE(plain, moving, exposing);
  Network network{2, traits};
  const std::vector<std::byte> data(500);
  RequestMemory memory;
  const RequestId posted = network[1].start_receive(tagged(1), memory.room());
  const RequestId sent = network[0].start_send(to(1, 1, Mode::standard), Bytes{data});
  CHECK_FALSE(network[0].cancel(sent));
  CHECK_FALSE(network[0].wait(sent).cancelled);
  CHECK(network[1].wait(posted).delivered == 500);
  const RequestId eager = network[0].start_send(to(1, 2), {});
  CHECK_FALSE(network[0].cancel(eager));
  CHECK_FALSE(network[0].wait(eager).cancelled);
}

TEST_CASE("a send to oneself, or to a dying process, is cancelled or lost") {
  Network network{2, exposing};
  const RequestId own = network[0].start_send(to(0, 1, Mode::synchronous), {});
  CHECK(network[0].cancel(own));
  CHECK(network[0].wait(own).cancelled);
  CHECK_FALSE(network[0].try_probe({}));
  const RequestId last = network[0].start_send(to(1, 1, Mode::synchronous), {});
  network.kill(1);
  CHECK_FALSE(network[0].cancel(last));
  CHECK(network[0].wait(last).lost);
}

TEST_CASE("the oldest message that any of several specs accepts is received") {
  const std::size_t size = GENERATE(8U, 500U);
  Network network{3, exposing};
  const std::vector<std::byte> data(size);
  network[1].send(to(0, 4), Bytes{data});
  network[1].send(to(0, 3), Bytes{data});
  network[2].send(to(0, 9), Bytes{data});
  network.run_until_quiet();
  const std::array specs{tagged(3), MatchSpec{.source = Rank{2}}};
  RequestMemory memory;
  auto const [first, done] = network[0].receive_any_of(specs, memory.room());
  CHECK(first == 0);
  CHECK(done.delivered == size);
  auto const [second, message] = network[0].take_any_of(specs);
  CHECK(second == 1);
  CHECK(message.envelope.tag == Tag{9});
  CHECK(network[0].take({}).envelope.tag == Tag{4});
}

TEST_CASE("waiting for any of several specs, too long a message stays") {
  Network network{2, exposing};
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) {
      me.idle();
      return me.send(to(1, 2), Bytes{std::vector<std::byte>(10)});
    }
    MatchSpec strict = tagged(2);
    strict.too_long = TooLong::refuse;
    const std::array specs{tagged(1), strict};
    std::array<std::byte, 4> little{};
    CHECK(me.receive_any_of(specs, MutableBytes{little}).second.refused);
    RequestMemory memory;
    CHECK(me.receive_any_of(specs, memory.room()).second.delivered == 10);
  });
}

TEST_CASE("lists and masks take the named messages, posted or not") {
  bool const posted_first = GENERATE(false, true);
  Network network{2, exposing};
  const std::array tags{Tag{4}, Tag{2}};
  const MatchSpec list{.tag = TagMatch::any_of(tags)};
  const MatchSpec mask{.tag = TagMatch::masked(1U << 3)};
  RequestMemory memory;
  std::vector<RequestId> posted;
  if (posted_first)
    posted = {network[1].start_receive(list, memory.room()),
              network[1].start_receive(mask, memory.room())};
  for (int tag = 0; tag < 5; ++tag) network[0].send(to(1, tag), {});
  network.run_until_quiet();
  if (!posted_first)
    posted = {network[1].start_receive(list, memory.room()),
              network[1].start_receive(mask, memory.room())};
  CHECK(network[1].wait(posted[0]).envelope.tag == Tag{2});
  CHECK(network[1].wait(posted[1]).envelope.tag == Tag{3});
}

TEST_CASE("a probe for a list or a mask sees the oldest that it names, and no other") {
  Network network{2, exposing};
  const std::array tags{Tag{4}, Tag{2}};
  const MatchSpec list{.tag = TagMatch::any_of(tags)};
  const MatchSpec mask{.tag = TagMatch::masked(1U << 3)};
  network[0].send(to(1, 1), {});
  network.run_until_quiet();
  CHECK_FALSE(network[1].try_probe(list));
  CHECK_FALSE(network[1].try_probe(mask));
  for (int tag = 2; tag < 5; ++tag) network[0].send(to(1, tag), {});
  network.run_until_quiet();
  CHECK(network[1].probe(list).envelope.tag == Tag{2});
  CHECK(network[1].try_probe(mask)->envelope.tag == Tag{3});
  CHECK(network[1].take(list).envelope.tag == Tag{2});
  CHECK(network[1].try_probe(list)->envelope.tag == Tag{4});
}

TEST_CASE("of several requests, some, any and all are reported as they complete") {
  Network network{2, exposing};
  std::array<RequestMemory, 3> memory;
  std::vector<RequestId> open;
  for (int tag = 0; tag < 3; ++tag)
    open.push_back(
        network[1].start_receive(tagged(tag), memory[static_cast<std::size_t>(tag)].room()));
  std::array<Completed, 3> some;
  std::array<Completion, 3> all;
  CHECK(network[1].requests().test_some(open, some) == 0);
  CHECK_FALSE(network[1].requests().test_any(open));
  network[0].send(to(1, 2), {});
  network[0].send(to(1, 0), {});
  network.run_until_quiet();
  CHECK_FALSE(network[1].requests().test_all(open, all));
  REQUIRE(network[1].requests().wait_some(open, some) == 2);
  CHECK(some[0].position == 0);
  CHECK(some[1].position == 2);
  CHECK(some[1].result.envelope.tag == Tag{2});
  open = {open[1], network[1].start_receive(tagged(3), memory[0].room())};
  network[0].send(to(1, 3), {});
  network.run_until_quiet();
  auto const any = network[1].requests().test_any(open);
  REQUIRE(any);
  CHECK(any->position == 1);
  open.pop_back();
  network[0].send(to(1, 1), {});
  network[1].requests().wait_all(open, all);
  CHECK(all.front().envelope.tag == Tag{1});
  CHECK(network[1].requests().test_all({}, {}));
  const std::array last{network[1].start_send(to(0), {}), network[1].start_send(to(0), {})};
  CHECK(network[1].requests().test_all(last, all));
}

TEST_CASE("flush drops the messages that have come and fit, and returns their number") {
  const std::size_t size = GENERATE(8U, 500U);
  const Traits traits = GENERATE(plain, moving, exposing);
  Network network{2, traits};
  const std::vector<std::byte> data(size);
  for (int tag : {1, 2, 1, 1}) network[0].send(to(1, tag), Bytes{data});
  const RequestId waiting = network[0].start_send(to(1, 1, Mode::synchronous), Bytes{data});
  network.run_until_quiet();
  CHECK(network[1].flush(tagged(1)) == 4);
  CHECK(network[1].flush(tagged(1)) == 0);
  CHECK(network[1].take({}).envelope.tag == Tag{2});
  network.run_until_quiet();
  CHECK(network[0].test(waiting));
  CHECK(network.exposures() == 0);
  const RequestId own = network[1].start_send(to(1, 5, Mode::synchronous), {});
  CHECK(network[1].flush({}) == 1);
  CHECK(network[1].test(own));
}

TEST_CASE(
    "what is beyond a room is thrown away, the youngest first, and synchronous messages stay") {
  const Traits traits = GENERATE(plain, moving, exposing);
  Network network{2, traits};
  const std::vector<std::byte> data(500);
  auto send = [&](int tag, std::size_t size) {
    network[0].send(to(1, tag), Bytes{data}.first(size));
  };
  send(1, 40);
  send(2, 500);
  send(3, 40);
  send(4, 40);
  send(5, 0);
  const RequestId waiting = network[0].start_send(to(1, 6, Mode::synchronous), Bytes{data});
  network.run_until_quiet();
  const MatchSpec buffered{.any_user_context = true, .buffered_only = true};
  CHECK(network[1].flush_beyond(buffered, 620) == 0);
  CHECK(network[1].flush_beyond(buffered, 100) == 2);  // those with tags 2 and 4
  CHECK(network[1].flush_beyond(buffered, 100) == 0);
  for (int tag : {1, 3, 5, 6}) CHECK(network[1].take({}).envelope.tag == Tag{tag});
  network.run_until_quiet();
  CHECK(network[0].test(waiting));
  CHECK(network.exposures() == 0);
}

TEST_CASE("a synchronous send is notified of the mode in which it was received") {
  const std::size_t size = GENERATE(0U, 8U, 500U);
  const Mode mode = GENERATE(Mode::standard, Mode::synchronous);
  const Traits traits = GENERATE(plain, moving, exposing);
  bool const early = GENERATE(false, true);
  Network network{2, traits};
  const std::vector<std::byte> data(size);
  std::array<std::byte, 500> memory{};
  MatchSpec spec = tagged(1);
  spec.mode = mode;
  auto receive = [&] { return network[1].start_receive(spec, MutableBytes{memory}); };
  const RequestId first = early ? receive() : no_request;
  const RequestId sent = network[0].start_send(to(1, 1, Mode::synchronous), Bytes{data});
  network.run_until_quiet();
  network[1].wait(early ? first : receive());
  network.run_until_quiet();
  auto const done = network[0].test(sent);
  REQUIRE(done);
  CHECK(done->taken_as == mode);
  CHECK_FALSE(done->lost);
}
