// SPDX-License-Identifier: BSD-3-Clause
/// The packet engine: packets arrive as they were sent, or the job ends with a message.
#include "backends/net/engine.hpp"

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"
#include "tests/backends/net/fake_link.hpp"
#include "tests/backends/packet_log.hpp"

using namespace earl;
using namespace earl::net;
using namespace earl::test;
using Catch::Matchers::Contains;
using net::test::Cables;
using net::test::FakeLink;

namespace {

struct Pair {
  explicit Pair(LinkFacts facts = {.frame = 4096})
      : left(cables, Rank{0}, facts), right(cables, Rank{1}, facts) {}

  bool send(int tag, std::size_t size = 8) {
    const std::vector<std::byte> payload(size);
    return from.send(Rank{1}, eager(0, tag), Bytes{payload});
  }
  Words received(Engine& engine) {
    PacketLog sink;
    while (engine.progress(sink, 10) != 0) {
    }
    return sink.says;
  }
  Cables::Frame& last() { return cables.towards[1].back(); }

  Cables cables{3};
  FakeLink left;
  FakeLink right;
  Engine from{left, Rank{0}};
  Engine to{right, Rank{1}};
};

}  // namespace

TEST_CASE("packets come as they were sent") {
  Pair pair;
  const std::vector<std::byte> largest(pair.from.largest_packet());
  const std::vector<std::byte> piece(10);
  const std::vector<Bytes> pieces(20, Bytes{piece});
  REQUIRE(pair.send(1, 0));
  REQUIRE(pair.from.send(Rank{1}, eager(0, 2), Bytes{largest}));
  REQUIRE(pair.from.send(Rank{1}, eager(0, 3), Gather{pieces}));
  CHECK(pair.received(pair.to) ==
        Words{"0 1 0", "0 2 " + std::to_string(largest.size()), "0 3 200"});
}

TEST_CASE("each bit of a frame that is another is found") {
  for (std::size_t bit = 0; bit < 8 * (sizeof(Preamble) + sizeof(Header) + 8); ++bit) {
    Pair pair;
    REQUIRE(pair.send(1));
    pair.last().bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    CHECK_THROWS_WITH(pair.received(pair.to),
                      Contains("a packet of process 0 is damaged: its sum is"));
  }
}

TEST_CASE("a frame that is missing is missed when the next one comes") {
  Pair pair;
  REQUIRE(pair.send(1));
  REQUIRE(pair.send(2));
  pair.cables.towards[1].pop_back();
  REQUIRE(pair.send(3));
  PacketLog sink;
  CHECK_THROWS_WITH(pair.to.progress(sink, 10),
                    "packet 1 of process 0 to process 1 is missing: packet 2 came (by hand)");
  CHECK(sink.says == Words{"0 1 8"});
}

TEST_CASE("a frame that comes twice is reported") {
  Pair pair;
  REQUIRE(pair.send(1));
  pair.cables.towards[1].push_back(pair.last());
  CHECK_THROWS_WITH(pair.received(pair.to),
                    Contains("packet 1 of process 0 to process 1 is missing"));
}

TEST_CASE(
    "the last frame is missed when its sender asks, and not asked for any more when it came") {
  Pair pair;
  REQUIRE(pair.send(1));
  CHECK(pair.from.unanswered());
  pair.from.remind();
  CHECK(pair.received(pair.to) == Words{"0 1 8"});
  CHECK(pair.received(pair.from).empty());
  CHECK_FALSE(pair.from.unanswered());
  REQUIRE(pair.send(2));
  pair.cables.towards[1].pop_back();
  pair.from.remind();
  CHECK_THROWS_WITH(pair.received(pair.to),
                    Contains("packet 2 of process 0 to process 1 is missing"));
}

TEST_CASE("a leaving process announces how much it has sent") {
  Pair pair;
  REQUIRE(pair.send(1));
  pair.cables.towards[1].clear();
  pair.from.announce_end();
  CHECK_THROWS_WITH(pair.received(pair.to),
                    Contains("packet 0 of process 0 to process 1 is missing"));
}

TEST_CASE("peers are asked less and less often") {
  Pair pair;
  REQUIRE(pair.send(1));
  for (int i = 0; i < 100; ++i) pair.from.remind();
  CHECK(pair.cables.towards[1].size() == 1 + 7);
}

TEST_CASE("a frame for another process is reported: a route is wrong") {
  Pair pair;
  REQUIRE(pair.from.send(Rank{2}, eager(0, 1), Bytes{}));
  pair.cables.towards[1] = std::move(pair.cables.towards[2]);
  CHECK_THROWS_WITH(
      pair.received(pair.to),
      "a packet of process 0 for process 2 came to process 1: a route is wrong (by hand)");
}

TEST_CASE("a frame that is too short is reported") {
  Pair pair;
  pair.cables.towards[1].push_back({Rank{0}, std::vector<std::byte>(20)});
  CHECK_THROWS_WITH(pair.received(pair.to), Contains("a frame of 20 bytes came from process 0"));
}

TEST_CASE("the frames under way to a peer are bounded until it answers") {
  Pair pair;
  int sent = 0;
  while (pair.send(sent, 1000)) ++sent;
  CHECK(sent * 1000 <= static_cast<int>(Window::most));
  CHECK(sent * 1000 > static_cast<int>(Window::most) / 2);
  CHECK(pair.received(pair.to).size() == static_cast<std::size_t>(sent));
  CHECK_FALSE(pair.from.take_room_event());
  CHECK(pair.received(pair.from).empty());
  CHECK(pair.from.take_room_event());
  CHECK_FALSE(pair.from.take_room_event());
  CHECK(pair.send(sent, 1000));
}

TEST_CASE("an answer that finds no room is given later") {
  Pair pair;
  int sent = 0;
  while (pair.send(sent, 1000)) ++sent;
  pair.cables.room = 0;
  pair.received(pair.to);
  CHECK_FALSE(pair.send(sent, 1000));
  pair.cables.room = 1000;
  pair.received(pair.to);
  pair.received(pair.from);
  CHECK(pair.send(sent, 1000));
}

TEST_CASE("packets to a peer that is down are counted and dropped") {
  Pair pair;
  pair.cables.down.push_back(Rank{1});
  CHECK(pair.send(1));
  CHECK(pair.from.lost() == 1);
  CHECK(pair.cables.towards[1].empty());
}

TEST_CASE("a link that is trusted is not summed, nor asked") {
  Pair pair{{.frame = 4096, .trusted = true}};
  REQUIRE(pair.send(1));
  Preamble preamble;
  std::memcpy(&preamble, pair.last().bytes.data(), sizeof preamble);
  CHECK(preamble.sum == 0);
  CHECK_FALSE(pair.from.unanswered());
  CHECK(pair.received(pair.to) == Words{"0 1 8"});
}
