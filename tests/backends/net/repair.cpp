// SPDX-License-Identifier: BSD-3-Clause
/// Where losses are repaired: for any losses, all packets come once and in order, and a loss among
/// many packets costs no timeout.
#include <catch2/catch.hpp>

#include "backends/myrinet/fault_injection.hpp"
#include "backends/net/engine.hpp"
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

struct RepairingPair {
  bool send(std::size_t size = 8) {
    const std::vector<std::byte> payload(size);
    if (!from.send(Rank{1}, eager(0, sent), Bytes{payload})) return false;
    expected.push_back(fmt::format("0 {} {}", sent++, size));
    return true;
  }
  /// Both take available frames, once.
  void exchange() {
    to.progress(received, 1000);
    from.progress(other, 1000);
  }
  /// Until nothing moves; says how often both looked.
  int run_until_quiet() {
    int rounds = 0;
    while (!cables.towards[0].empty() || !cables.towards[1].empty()) {
      exchange();
      ++rounds;
    }
    return rounds;
  }
  /// The frame on its way to the receiver vanishes.
  void lose(std::size_t which) {
    auto& queue = cables.towards[1];
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(which));
  }

  Cables cables{2};
  FakeLink left{cables, Rank{0}};
  FakeLink right{cables, Rank{1}};
  Engine from{left, Rank{0}, OnLoss::repair};
  Engine to{right, Rank{1}, OnLoss::repair};
  PacketLog received{};
  PacketLog other{};
  Words expected{};
  int sent = 0;
};

}  // namespace

TEST_CASE("one of many packets is lost: it and those behind it come at once, without a reminder") {
  auto const which = GENERATE(range(std::size_t{0}, std::size_t{19}));
  RepairingPair pair;
  for (int i = 0; i < 20; ++i) REQUIRE(pair.send());
  pair.lose(which);
  CHECK(pair.run_until_quiet() <= 3);
  CHECK(pair.received.says == pair.expected);
  CHECK(pair.from.sent_again() == 20 - which);
}

TEST_CASE(
    "many are lost: each loss costs one going back, also with losses among the repeated ones") {
  RepairingPair pair;
  for (int i = 0; i < 20; ++i) REQUIRE(pair.send());
  pair.lose(12);
  pair.lose(7);
  pair.lose(3);
  pair.exchange();
  REQUIRE(pair.cables.towards[1].size() == 17);
  pair.lose(0);  // the one that was asked for, again
  pair.run_until_quiet();
  CHECK(pair.received.says == pair.expected);
}

TEST_CASE("the last packet is lost: its sender asks, and sends it again") {
  RepairingPair pair;
  REQUIRE(pair.send());
  REQUIRE(pair.send());
  pair.lose(1);
  pair.run_until_quiet();
  CHECK(pair.received.says.size() == 1);
  CHECK(pair.from.unanswered());
  CHECK_FALSE(pair.from.all_is_there());
  pair.from.remind();
  pair.run_until_quiet();
  CHECK(pair.received.says == pair.expected);
  pair.from.remind();
  pair.run_until_quiet();
  CHECK(pair.from.all_is_there());
}

TEST_CASE("questions and answers may be lost, too") {
  RepairingPair pair;
  for (int i = 0; i < 5; ++i) REQUIRE(pair.send());
  pair.lose(2);
  pair.to.progress(pair.received, 1000);
  pair.cables.towards[0].clear();  // that it is missing
  REQUIRE(pair.send());
  pair.run_until_quiet();
  CHECK(pair.received.says.size() == 2);
  pair.from.remind();
  pair.cables.towards[1].clear();  // the question
  pair.from.remind();
  pair.run_until_quiet();
  CHECK(pair.received.says == pair.expected);
}

TEST_CASE("a packet that comes twice is taken once") {
  RepairingPair pair;
  REQUIRE(pair.send());
  REQUIRE(pair.send());
  pair.cables.towards[1].push_back(pair.cables.towards[1].front());
  pair.run_until_quiet();
  CHECK(pair.received.says == pair.expected);
}

TEST_CASE("a packet that is damaged counts as lost; one for another process ends the job") {
  RepairingPair pair;
  REQUIRE(pair.send());
  REQUIRE(pair.send());
  SECTION("a bit") {
    pair.cables.towards[1].front().bytes[70] ^= std::byte{1};
    pair.run_until_quiet();
    CHECK(pair.received.says == pair.expected);
  }
  SECTION("a sentence of the link's") {
    pair.to.damaged("a packet came damaged");
    pair.run_until_quiet();
    CHECK(pair.received.says == pair.expected);
  }
  SECTION("a wrong route") {
    Engine third{pair.right, Rank{2}, OnLoss::repair};
    CHECK_THROWS_WITH(third.progress(pair.received, 10), Contains("a route is wrong"));
  }
}

TEST_CASE("nothing new goes before all is sent again, however little room there is") {
  RepairingPair pair;
  for (int i = 0; i < 10; ++i) REQUIRE(pair.send());
  pair.lose(0);
  pair.to.progress(pair.received, 1000);
  pair.cables.room = 3;
  pair.from.progress(pair.other, 1000);
  CHECK(pair.cables.towards[1].size() == 3);
  CHECK_FALSE(pair.send());
  CHECK_FALSE(pair.from.take_room_event());
  for (int i = 0; i < 20; ++i) pair.exchange();
  CHECK(pair.from.take_room_event());
  CHECK(pair.send());
  pair.run_until_quiet();
  CHECK(pair.received.says == pair.expected);
}

TEST_CASE("the missing frames of a peer that is down are forgotten") {
  RepairingPair pair;
  REQUIRE(pair.send());
  pair.cables.towards[1].clear();
  pair.cables.down.push_back(Rank{1});
  CHECK(pair.from.all_is_there());
  pair.from.progress(pair.other, 1);
  pair.from.down(Rank{1}, "");
  CHECK(pair.other.says == Words{"gone 1"});
  CHECK(pair.send());
}

TEST_CASE("of thousands many are lost, of both directions: all come, in order") {
  myrinet::FaultInjection const leak{
      .kind = myrinet::FaultInjection::Kind::leak, .seed = 3, .percent = GENERATE(1U, 10U, 33U)};
  RepairingPair pair;
  std::uint64_t number = 0;
  auto const lose = [&](std::size_t towards) {
    std::erase_if(pair.cables.towards[towards],
                  [&](auto const&) { return leak.strikes(Rank{0}, ++number); });
  };
  while (pair.received.says.size() < 3000) {
    while (pair.sent < 3000 && pair.send(static_cast<std::size_t>(pair.sent % 700))) {
    }
    lose(1);
    pair.to.progress(pair.received, 1000);
    lose(0);
    if (pair.from.progress(pair.other, 1000) == 0) pair.from.remind();
    REQUIRE(number < 10'000'000);
  }
  CHECK(pair.received.says == pair.expected);
}
