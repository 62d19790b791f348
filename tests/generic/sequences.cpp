// SPDX-License-Identifier: BSD-3-Clause
/// Message ids have 64 bits, of which 32 travel: runs through the place where these wrap.
#include <catch2/catch.hpp>

#include "generic/channel.hpp"
#include "tests/generic/network.hpp"
#include "tests/generic/words.hpp"

using namespace earl;
using namespace earl::test;

namespace {

constexpr std::uint64_t wrap = std::uint64_t{1} << 32;
constexpr std::uint64_t start = wrap - 2;
constexpr std::size_t messages = 5;

const Traits wrapping{.first_sequence = start};
const Traits wrapping_moving{.moves = true, .first_sequence = start};
const Traits wrapping_multicasting{.multicasts = true, .first_sequence = start};
const Traits wrapping_exposing{
    .remote_readable = true, .packets_outlive_sender = true, .first_sequence = start};

/// Writes down every id, as a recorder does.
struct Ids : Interceptor {
  std::vector<std::uint64_t> sent{};
  std::vector<std::uint64_t> matched_ids{};
  std::vector<std::uint64_t> found{};
  std::vector<std::uint64_t> cancelled_sends{};

  bool constrains_matching() const override { return false; }
  void sending(SendOp const& op) override { sent.push_back(op.sequence); }
  void matched(ReceiveOp const&, Envelope const&, MessageId const& id) override {
    matched_ids.push_back(id.sequence);
  }
  void answered(ReceiveOp const&, Envelope const* there, MessageId const& id) override {
    if (there) found.push_back(id.sequence);
  }
  void cancelled(std::uint64_t post, bool) override { cancelled_sends.push_back(post); }
};

Ids& listen(Process& process) {
  auto own = std::make_unique<Ids>();
  auto& it = *own;
  process.watch(std::move(own));
  return it;
}

std::vector<std::uint64_t> numbers(std::size_t count) {
  std::vector<std::uint64_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = start + i;
  return all;
}

/// Demands messages by their ids, the last one first.
struct Backwards final : Interceptor {
  std::uint64_t next = start + messages;

  Verdict posting(ReceiveOp& op) override {
    op.spec.source = Rank{0};
    op.spec.pinned = true;
    op.spec.sequence = --next;
    return Verdict::free;
  }
};

}  // namespace

TEST_CASE("ids go on where their low 32 bits wrap, short messages and long ones") {
  const Traits traits =
      GENERATE(wrapping, wrapping_moving, wrapping_multicasting, wrapping_exposing);
  const std::size_t size = GENERATE(8U, 1000U);
  Network network{3, traits};
  auto& sender = listen(network[0]);
  std::array<Ids*, 2> seen{&listen(network[1]), &listen(network[2])};
  auto const data = pattern(size);
  const std::array both{Rank{1}, Rank{2}};
  network.run([&](Process& me) {
    if (me.rank() == Rank{0}) {
      for (std::size_t i = 0; i < messages; ++i) me.send_to_all(both, to(0, 7), Bytes{data});
      return;
    }
    for (std::size_t i = 0; i < messages; ++i) {
      CHECK(me.probe({}).id == MessageId{Rank{0}, start + i});
      std::vector<std::byte> room(size);
      CHECK(me.receive({}, MutableBytes{room}).id == MessageId{Rank{0}, start + i});
      CHECK(room == data);
    }
  });
  for (auto const* ids : seen) {
    CHECK(ids->matched_ids == numbers(messages));
    CHECK(ids->found == numbers(messages));
  }
  REQUIRE(sender.sent.size() == 2 * messages);
  CHECK(sender.sent.front() == start);
  CHECK(sender.sent.back() == start + messages - 1);
}

TEST_CASE("a process's messages to itself count through the wrap") {
  Network network{1, wrapping};
  for (std::size_t i = 0; i < messages; ++i) {
    network[0].send(to(0, 7), bytes(std::string{"x"}));
    CHECK(network[0].take({}).id == MessageId{Rank{0}, start + i});
  }
}

TEST_CASE("a replay finds the demanded messages on both sides of the wrap") {
  const std::size_t size = GENERATE(8U, 1000U);
  bool const posted_first = GENERATE(true, false);
  Network network{2, wrapping};
  network[1].watch(std::make_unique<Backwards>());
  auto const data = pattern(size);
  std::vector<std::vector<std::byte>> rooms(messages, std::vector<std::byte>(size));
  std::vector<RequestId> requests;
  auto const post = [&] {
    for (auto& room : rooms) requests.push_back(network[1].start_receive({}, MutableBytes{room}));
  };
  if (posted_first) post();
  for (std::size_t i = 0; i < messages; ++i) network[0].send(to(1, 7), Bytes{data});
  network.run_until_quiet();
  if (!posted_first) post();
  network.run_until_quiet();
  for (std::size_t i = 0; i < messages; ++i)
    CHECK(network[1].wait(requests[i]).id == MessageId{Rank{0}, start + messages - 1 - i});
}

TEST_CASE("a cancelled send is named by its whole number") {
  Network network{2, wrapping_exposing};
  auto& ids = listen(network[0]);
  auto const data = pattern(1000);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(network[0].cancel(network[0].start_send(to(1, 7, Mode::standard), Bytes{data})));
  std::vector<std::uint64_t> expected;
  for (auto const sequence : numbers(3)) expected.push_back(post_of_send(Rank{1}, sequence));
  CHECK(ids.cancelled_sends == expected);
}

TEST_CASE("an id is rebuilt from 32 bits at every later wrap, too") {
  Network network{2, {.first_sequence = wrap * 5 - 1}};
  for (std::size_t i = 0; i < 3; ++i) network[0].send(to(1, 7), {});
  network.run_until_quiet();
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(network[1].take({}).id == MessageId{Rank{0}, wrap * 5 - 1 + i});
}

TEST_CASE("a number that wraps behind a missing one is whole again") {
  Channel channel;
  channel.arrived = wrap - 1;
  Header header;
  header.source = 3;
  header.context = static_cast<std::uint64_t>(common_context);
  header.sequence = 0;
  CHECK(channel.next_id(header).sequence == wrap);
  CHECK(channel.arrived == wrap + 1);
  header.sequence = static_cast<std::uint32_t>(wrap - 1);
  CHECK(channel.next_id(header).sequence == wrap - 1);
}
