// SPDX-License-Identifier: BSD-3-Clause
/// The switch, byte by byte.
#include "backends/myrinet/switch.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "backends/myrinet/route.hpp"

using namespace earl;
using namespace earl::myrinet;

namespace {

/// A packet: its route bytes, its letters, its sum.
std::vector<Symbol> packet(std::initializer_list<std::uint8_t> route, std::string const& letters) {
  std::vector<Symbol> all;
  Crc8 sum;
  auto const append = [&](std::uint8_t byte) {
    sum.add(std::byte{byte});
    all.push_back({byte, false});
  };
  for (auto const byte : route) append(byte);
  for (char const letter : letters) append(static_cast<std::uint8_t>(letter));
  all.push_back({sum.value(), true});
  return all;
}

void arrive(Switch& box, unsigned in, std::vector<Symbol> const& symbols) {
  for (auto const symbol : symbols) box.arrive(in, symbol);
}

/// The bytes that go out by a port until it has no more.
std::vector<Symbol> departures(Switch& box, unsigned out) {
  std::vector<Symbol> all;
  while (auto const symbol = box.depart(out)) all.push_back(*symbol);
  return all;
}

std::vector<Symbol> operator+(std::vector<Symbol> a, std::vector<Symbol> const& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("a switch takes the first byte away, and the sum is right without it") {
  Switch box{4};
  arrive(box, 0, packet({route_byte(0, 2), 7}, "abc"));
  CHECK(departures(box, 1).empty());
  CHECK(departures(box, 2) == packet({7}, "abc"));
  CHECK(box.counters(2).packets == 1);
  CHECK(box.counters(0).sum_errors == 0);
}

TEST_CASE("a packet goes out before its tail has come in") {
  Switch box{4};
  box.arrive(1, {route_byte(1, 3), false});
  CHECK_FALSE(box.depart(3));
  box.arrive(1, {'a', false});
  CHECK(box.depart(3) == Symbol{'a', false});
  CHECK_FALSE(box.depart(3));
  box.arrive(1, {'b', false});
  CHECK(box.depart(3) == Symbol{'b', false});
}

TEST_CASE("a port is held until the tail, and goes to the others in turn") {
  Switch box{4};
  auto const a = packet({3}, "aa");
  auto const b = packet({3}, "bb");
  auto const c = packet({3}, "cc");
  arrive(box, 0, a);
  arrive(box, 1, b + b);
  arrive(box, 2, c);
  CHECK(box.waits(1));
  CHECK(departures(box, 3) ==
        packet({}, "aa") + packet({}, "bb") + packet({}, "cc") + packet({}, "bb"));
  CHECK_FALSE(box.waits(1));
}

TEST_CASE("packets to different ports do not wait for one another") {
  Switch box{4};
  box.arrive(0, {3, false});
  arrive(box, 1, packet({2}, "b"));
  CHECK(departures(box, 2) == packet({}, "b"));
}

TEST_CASE("behind a STOP nothing goes out, and incoming packets are stopped in time") {
  Switch box{2, {.stop_at = 4, .go_at = 2, .most = 8}};
  box.set_stop(1, true);
  arrive(box, 0, packet({1}, "abc"));
  CHECK_FALSE(box.depart(1));
  CHECK(box.sends_stop(0));
  CHECK(box.counters(0).stops == 1);
  box.set_stop(1, false);
  CHECK(box.depart(1) == Symbol{'a', false});
  CHECK(box.sends_stop(0));
  CHECK(box.depart(1) == Symbol{'b', false});
  CHECK_FALSE(box.sends_stop(0));
}

TEST_CASE("a sender that ignores STOP loses bytes, and they are counted") {
  Switch box{2, {.stop_at = 1, .go_at = 0, .most = 2}};
  box.set_stop(1, true);
  arrive(box, 0, packet({1}, "abcdef"));
  CHECK(box.counters(0).overruns == 5);
}

TEST_CASE("a packet to a port that is not there is dropped and counted, the next one is not") {
  Switch box{4};
  arrive(box, 0, packet({route_byte(0, 9)}, "lost") + packet({1}, "next"));
  CHECK(box.counters(0).drops == 1);
  CHECK(departures(box, 1) == packet({}, "next"));
}

TEST_CASE("a packet without a route is dropped") {
  Switch box{4};
  arrive(box, 0, {{0, true}});
  arrive(box, 0, packet({1}, "next"));
  CHECK(box.counters(0).drops == 1);
  CHECK(departures(box, 1) == packet({}, "next"));
}

TEST_CASE("a damaged packet is counted, and comes out as damaged as it went in") {
  Switch box{4};
  auto damaged = packet({1}, "abc");
  damaged[2].byte ^= 0x10;
  arrive(box, 0, damaged);
  auto const out = departures(box, 1);
  Crc8 sum;
  for (auto const symbol : out)
    if (!symbol.tail) sum.add(std::byte{symbol.byte});
  CHECK(out.back().tail);
  CHECK(out.back().byte != sum.value());
  CHECK(box.counters(0).sum_errors == 1);
}

TEST_CASE("a packet that has waited too long is dropped with the rest of it") {
  Switch box{4};
  box.arrive(0, {3, false});
  auto const late = packet({3}, "late");
  arrive(box, 1, {late.begin(), late.begin() + 3});
  REQUIRE(box.waits(1));
  box.drop_waiting(1);
  arrive(box, 1, {late.begin() + 3, late.end()});
  arrive(box, 1, packet({2}, "next"));
  CHECK(departures(box, 2) == packet({}, "next"));
  CHECK(box.counters(1).drops == 1);
}

TEST_CASE("a packet that is stopped too long ends with a wrong sum") {
  Switch box{4};
  auto const stopped = packet({3}, "stopped");
  arrive(box, 0, {stopped.begin(), stopped.begin() + 4});
  REQUIRE(box.depart(3) == Symbol{'s', false});
  box.set_stop(3, true);
  REQUIRE(box.is_stopped(3));
  box.drop_stopped(3);
  auto const tail = box.depart(3);
  REQUIRE(tail);
  CHECK(tail->tail);
  Crc8 sum;
  sum.add(std::byte{'s'});
  CHECK(tail->byte != sum.value());
  arrive(box, 0, {stopped.begin() + 4, stopped.end()});
  box.set_stop(3, false);
  arrive(box, 0, packet({3}, "next"));
  CHECK(departures(box, 3) == packet({}, "next"));
}
