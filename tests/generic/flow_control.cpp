// SPDX-License-Identifier: BSD-3-Clause
/// Senders that run ahead of their receivers.
#include "generic/flow_control.hpp"

#include <catch2/catch.hpp>

#include "tests/generic/network.hpp"
#include "tests/generic/words.hpp"

using namespace earl;
using namespace earl::test;

namespace {

constexpr std::uint64_t limit = 4 << 20;
constexpr std::uint64_t share = limit / 2;
constexpr std::size_t message_size = 1000;
/// More than a sender is patient for.
constexpr int turns = 3000;
/// Messages of that size a process may send in its share.
constexpr std::uint64_t most_messages = share / charge_of(message_size);

Traits limited(Traits traits) {
  traits.eager = 2048;
  traits.packet = 4096;
  traits.message_memory = limit;
  return traits;
}

const Traits limited_plain = limited({});
const Traits limited_moving = limited({.moves = true});
const Traits limited_keeping = limited({.packets_outlive_sender = true});
const Traits limited_multicasting = limited({.multicasts = true});
const Traits limited_exposing = limited({.remote_readable = true, .packets_outlive_sender = true});
const Traits limited_half_exposing =
    limited({.remote_readable = true, .packets_outlive_sender = true, .pull_refused = true});

void send_all(Process& from, int dest, std::uint64_t count, std::size_t length = message_size) {
  auto const data = pattern(length);
  for (std::uint64_t i = 0; i < count; ++i) from.send(to(dest, static_cast<int>(i)), Bytes{data});
}

void receive_all(Process& me, std::uint64_t count, std::size_t length = message_size) {
  auto const data = pattern(length);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Message got = me.take({});
    CHECK(got.envelope.tag == Tag{static_cast<int>(i)});
    CHECK(text(got.body.bytes()) == text(Bytes{data}));
  }
}

/// As many as never wait; the one after them is only offered.
std::vector<RequestId> fill(Process& from, int dest, std::vector<std::byte> const& data) {
  std::vector<RequestId> open;
  for (;;) {
    open.push_back(from.start_send(to(dest, static_cast<int>(open.size())), Bytes{data}));
    if (!from.test(open.back())) return open;
    REQUIRE(open.size() < 2 * most_messages);
  }
}

struct Buffering : Interceptor {
  bool constrains_matching() const override { return false; }
  SendRule send_rule() const override { return SendRule::buffered; }
};

}  // namespace

TEST_CASE("a sender runs ahead of its receiver by its share, on every kind of back end") {
  const Traits traits = GENERATE(limited_plain, limited_moving, limited_keeping,
                                 limited_multicasting, limited_exposing, limited_half_exposing);
  const std::size_t length = GENERATE(0U, 1000U, 100'000U);
  auto const most = share / charge_of(length);
  auto const count = 3 * most;
  auto const data = pattern(length);
  std::uint64_t sent = 0;
  Network network{2, traits};
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) {
      for (; sent < count; ++sent) me.send(to(1, static_cast<int>(sent)), Bytes{data});
      return;
    }
    for (std::uint64_t before = 1; before != sent;) {
      before = sent;
      for (int i = 0; i < turns; ++i) me.idle();
    }
    CHECK(sent <= most + 1);
    CHECK(sent + 1 >= most);
    receive_all(me, count, length);
  });
  CHECK(sent == count);
  network.run_until_quiet();
  CHECK(network.exposures() == 0);
}

TEST_CASE("below the limit no buffered send waits") {
  const Traits traits = GENERATE(limited_plain, limited_keeping, limited_exposing);
  Network network{2, traits};
  // A process that waits here finds none that receives.
  send_all(network[0], 1, most_messages - 1);
  send_all(network[1], 0, most_messages - 1);
  receive_all(network[1], most_messages - 1);
  receive_all(network[0], most_messages - 1);
}

TEST_CASE("room comes back, however messages are taken") {
  Network network{2, limited_keeping};
  for (int round = 0; round < 5; ++round) {
    send_all(network[0], 1,
             most_messages - 1 - FlowControl::report_after / charge_of(message_size));
    network.run_until_quiet();
    switch (round) {
      case 0:
        receive_all(network[1], most_messages / 2);
        CHECK(network[1].flush({}) > 0);
        break;
      case 1:
        while (network[1].try_take({})) continue;
        break;
      case 2:
        CHECK(network[1].flush_beyond({}, 0) > 0);
        break;
      default:
        for (std::vector<std::byte> room(message_size); network[1].try_probe({});)
          network[1].receive({}, Scatter{MutableBytes{room}});
    }
    network.run_until_quiet();
  }
}

TEST_CASE("a send that does not block is complete when it is taken, above the limit") {
  const Traits traits = GENERATE(limited_plain, limited_keeping, limited_exposing);
  Network network{2, traits};
  auto const data = pattern(message_size);
  auto const open = fill(network[0], 1, data);
  CHECK(open.size() >= most_messages);
  network.run_until_quiet();
  CHECK_FALSE(network[0].test(open.back()));
  // It is there for a receive that asks for it, before all others.
  const Message last = network[1].take(tagged(static_cast<int>(open.size()) - 1));
  CHECK(text(last.body.bytes()) == text(Bytes{data}));
  network.run_until_quiet();
  CHECK(network[0].test(open.back()));
}

TEST_CASE("a send for which there was no room can be cancelled") {
  Network network{2, limited_keeping};
  auto const data = pattern(message_size);
  auto const open = fill(network[0], 1, data);
  network.run_until_quiet();
  CHECK(network[0].cancel(open.back()));
  network.run_until_quiet();
  CHECK_FALSE(network[1].try_probe(tagged(static_cast<int>(open.size()) - 1)));
}

TEST_CASE("the share of messages to a dead process is given back") {
  const Traits traits = GENERATE(limited_plain, limited_exposing);
  Network network{3, traits};
  auto const third = limit / 3 / charge_of(message_size);
  auto const data = pattern(message_size);
  auto const stuck = fill(network[0], 1, data);
  network.kill(1);
  network.run_until_quiet();
  CHECK(network[0].test(stuck.back()));
  send_all(network[0], 2, third);
  receive_all(network[2], third);
}

TEST_CASE("a send that waits for room goes on when its receiver dies") {
  const Traits traits = GENERATE(limited_plain, limited_keeping, limited_exposing);
  Network network{2, traits};
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) return send_all(me, 1, 3 * most_messages);
    for (int i = 0; i < turns; ++i) me.idle();
  });
}

TEST_CASE("each process has something to send to each other, with any of them slow") {
  Network network{3, limited_keeping};
  auto const data = pattern(message_size);
  fill(network[0], 1, data);
  send_all(network[0], 2, FlowControl::least_per_channel / charge_of(message_size));
}

TEST_CASE("a message to many waits for those that have no room") {
  Network network{3, limited_multicasting};
  const std::vector<Rank> others{Rank{1}, Rank{2}};
  const std::uint64_t count = most_messages;
  auto const data = pattern(message_size);
  std::uint64_t sent = 0;
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) {
      for (; sent < count; ++sent)
        me.send_to_all(others, to(0, static_cast<int>(sent)), Bytes{data});
      return;
    }
    if (me.rank() == Rank{1}) {
      for (std::uint64_t before = 1; before != sent;) {
        before = sent;
        for (int i = 0; i < turns; ++i) me.idle();
      }
      CHECK(sent < count);
    }
    receive_all(me, count);
  });
  CHECK(network.multicasts() > 0);
}

TEST_CASE("a message of a process to itself never waits, and has the limit of the job") {
  Network network{2, limited_plain};
  auto const most = limit / charge_of(message_size);
  send_all(network[0], 0, most);
  CHECK_THROWS_WITH(send_all(network[0], 0, 1), Catch::Contains("no room for a message to itself"));
  receive_all(network[0], most);
  send_all(network[0], 0, most);
}

TEST_CASE("a handler does not wait for room") {
  Network network{2, limited_keeping};
  network[1].handlers().add_filter(
      {},
      {.function = [](void* with,
                      Message) { send_all(*static_cast<Process*>(with), 0, 2 * most_messages); },
       .with = &network[1]});
  network[0].send(to(1, 0), Bytes{});
  network[1].progress();
  network[1].progress();
  receive_all(network[0], 2 * most_messages);
}

TEST_CASE("where a debugger lets no send wait, none waits for room") {
  Network network{2, limited_keeping};
  network[0].watch(std::make_unique<Buffering>());
  send_all(network[0], 1, 2 * most_messages);
  receive_all(network[1], 2 * most_messages);
}

TEST_CASE("processes that come have their share, and a report that cannot be is ignored") {
  Network network{4, limited_plain};
  FlowControl flow{network[0].table()};
  Channel one;
  CHECK(flow.has_room(one, limit / 4));
  CHECK_FALSE(flow.has_room(one, limit / 4 + 1));
  flow.sent(one, 1000);
  flow.credit(one, {.bytes = 2000, .messages = 1});
  CHECK(flow.outstanding() == 1000);
  flow.credit(one, {.bytes = 600, .messages = 1});
  flow.credit(one, {.bytes = 500, .messages = 1});
  CHECK(flow.outstanding() == 400);
  flow.copied(one, 70);
  CHECK(one.flow.outstanding().bytes == 470);
  flow.released(one, 70);
  flow.closed(one);
  CHECK(flow.outstanding() == 0);
}
