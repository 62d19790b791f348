// SPDX-License-Identifier: BSD-3-Clause
#include "generic/peers.hpp"

#include <catch2/catch.hpp>

#include "tests/generic/lone_engine.hpp"

using namespace earl;
using namespace earl::test;

namespace {

/// Peers of rank 0 of three, without an engine.
struct LonePeers {
  std::vector<std::byte> table = id_table_of(3);
  ScriptedPort* port;
  Endpoint endpoint;
  Peers peers;

  explicit LonePeers(Limits can = {})
      : port(new ScriptedPort{can}),
        endpoint(Rank{0}, IdTable{Bytes{table}}, std::unique_ptr<Port>{port}),
        peers(endpoint, 7) {}
};

}  // namespace

TEST_CASE("a channel begins at first contact, with the job's first number, and stays the same") {
  LonePeers of;
  CHECK(of.peers.empty());
  CHECK(of.peers.find(Rank{1}) == nullptr);
  Channel& channel = of.peers.channel_to(Rank{1});
  CHECK(channel.sent == 7);
  CHECK(channel.arrived == 7);
  CHECK(&of.peers.channel_from(Rank{1}) == &channel);
  CHECK(of.peers.find(Rank{1}) == &channel);
  CHECK_FALSE(of.peers.empty());
}

TEST_CASE("there is no channel to or from a process that the job does not have") {
  LonePeers of;
  CHECK_THROWS_AS(of.peers.channel_to(Rank{3}), Error);
  CHECK_THROWS_AS(of.peers.channel_from(Rank{3}), Error);
}

TEST_CASE("the packets of a peer that is gone are traffic, but no longer under way") {
  LonePeers of;
  Channel& channel = of.peers.channel(Rank{1});
  channel.put = 3;
  channel.got = 2;
  Report before;
  of.peers.count_traffic(before);
  CHECK(before.traffic == 5);
  CHECK(before.sent == 3);
  CHECK(before.arrived == 2);
  of.port->dead.insert(Rank{1});
  CHECK(of.peers.has_undrained_dead_peer());
  CHECK_FALSE(of.peers.has_nothing_left(Rank{1}));
  of.peers.close(channel);
  CHECK_FALSE(of.peers.has_undrained_dead_peer());
  CHECK(of.peers.has_nothing_left(Rank{1}));
  Report after;
  of.peers.count_traffic(after);
  CHECK(after.traffic == 5);
  CHECK(after.sent == 0);
}

TEST_CASE("a channel that is opened again goes on where it was while a debugger numbers messages") {
  LonePeers of;
  bool const watched = GENERATE(false, true);
  if (watched) of.endpoint.add(std::make_unique<Interceptor>());
  Channel& channel = of.peers.channel(Rank{1});
  channel.sent = 20;
  of.peers.close(channel);
  CHECK(of.peers.channel(Rank{1}).sent == (watched ? 20 : 7));
}
