// SPDX-License-Identifier: BSD-3-Clause
/// Long messages between a port and a link that moves them, on a link that the test drives.
#include "backends/net/direct_receives.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "generic/base/error.hpp"

using namespace earl;
using namespace earl::net;

namespace {

struct MovingLink final : Link {
  std::vector<MutableBytes> rooms{};  ///< the first is number 1
  std::vector<std::uint64_t> taken_back{};
  bool full = false;

  LinkFacts facts() const override { return {.frame = smallest_frame, .bulk = 100}; }
  std::uint64_t post_direct_receive(Rank, MutableBytes room) override {
    if (full) return 0;
    rooms.push_back(room);
    return rooms.size();
  }
  void cancel_receive(std::uint64_t number) override { taken_back.push_back(number); }

  bool send(Rank, Gather const&) override { return false; }
  std::size_t progress(FrameSink&, std::size_t) override { return 0; }
  bool ready() override { return false; }
  void sleep(Deadline) override {}
  void wake() override {}
  std::string route_description(Rank) const override { return {}; }
};

struct ReceiveLog final : PacketSink {
  std::vector<std::string> words{};
  void packet(Header const&, Bytes) override {}
  void moved(Rank from, TransferId transfer, bool ok) override {
    words.push_back(fmt::format("{} of {} {}", static_cast<std::uint64_t>(transfer), number(from),
                                ok ? "whole" : "lost"));
  }
  void gone(Rank) override {}
  void on_control_ready() override {}
};

using Words = std::vector<std::string>;

struct DirectReceivesFixture {
  MovingLink link{};
  DirectReceives direct_receives{link};
  ReceiveLog received{};
  std::array<std::byte, 200> memory{};

  Remote post_direct_receive(std::uint64_t length, Scatter const& to) {
    return direct_receives.post_direct_receive({.source = Rank{3}, .length = length}, TransferId{9},
                                               to);
  }
};

}  // namespace

TEST_CASE_METHOD(DirectReceivesFixture,
                 "direct receives: a message is expected in the user's memory, as long as it is") {
  auto const place = post_direct_receive(50, MutableBytes{memory});
  CHECK(place.where == 1);
  CHECK(place.more == 50);
  CHECK(link.rooms.at(0).data() == memory.data());
  CHECK(post_direct_receive(300, MutableBytes{memory}.first(20)).more == 20);
  direct_receives.landed(place.where, true, received);
  CHECK(received.words == Words{"9 of 3 whole"});
}

TEST_CASE_METHOD(DirectReceivesFixture,
                 "direct receives: memory in pieces is filled when all is there") {
  const std::array<MutableBytes, 2> pieces{MutableBytes{memory}.first(2),
                                           MutableBytes{memory}.subspan(10, 5)};
  auto const place = post_direct_receive(6, Scatter{std::span<MutableBytes const>{pieces}});
  CHECK(place.more == 6);
  auto const room = link.rooms.at(0);
  for (std::size_t i = 0; i < room.size(); ++i) room[i] = static_cast<std::byte>(i + 1);
  direct_receives.landed(place.where, true, received);
  CHECK(memory[1] == std::byte{2});
  CHECK(memory[10] == std::byte{3});
  CHECK(memory[13] == std::byte{6});
  CHECK(memory[14] == std::byte{0});
}

TEST_CASE_METHOD(DirectReceivesFixture,
                 "direct receives: what a link cannot expect comes otherwise") {
  CHECK(post_direct_receive(101, MutableBytes{memory}).where == 0);
  CHECK(post_direct_receive(5, MutableBytes{}).where == 0);
  link.full = true;
  CHECK(post_direct_receive(5, MutableBytes{memory}).where == 0);
}

TEST_CASE_METHOD(DirectReceivesFixture,
                 "direct receives: lost transfers are reported, cancelled ones are not") {
  auto const lost = post_direct_receive(5, MutableBytes{memory});
  auto const cancelled = post_direct_receive(5, MutableBytes{memory});
  direct_receives.landed(lost.where, false, received);
  CHECK(received.words == Words{"9 of 3 lost"});
  direct_receives.cancel_direct_receive(cancelled);
  CHECK(link.taken_back == std::vector<std::uint64_t>{cancelled.where});
  direct_receives.landed(cancelled.where, true, received);
  direct_receives.landed(77, true, received);
  CHECK(received.words.size() == 1);
}
