// SPDX-License-Identifier: BSD-3-Clause
/// The fabric in memory: packets find their way, ports are held and freed, full queues stop
/// senders.
#include "backends/myrinet/fabric.hpp"

#include <fcntl.h>

#include <catch2/catch.hpp>

#include "backends/net/port.hpp"
#include "generic/base/error.hpp"
#include "tests/backends/port_cases.hpp"

using namespace earl;
using namespace earl::myrinet;
using namespace earl::test;
using Catch::Matchers::Contains;

namespace {

/// A job whose processes are all this one.
class FabricNetwork {
 public:
  explicit FabricNetwork(std::uint32_t processes)
      : FabricNetwork(processes, usual_topology(processes)) {}
  FabricNetwork(std::uint32_t processes, Topology const& topology)
      : memory_(processes, topology), ports_(processes) {}

  std::unique_ptr<FabricLink> link(int rank, FaultInjection const& fault = {}) {
    Descriptor copy{::fcntl(memory_.descriptor(), F_DUPFD_CLOEXEC, 0)};
    return std::make_unique<FabricLink>(std::make_unique<Memory>(std::move(copy)), Rank{rank},
                                        fault);
  }
  net::LinkPort& join(int rank, FaultInjection const& fault = {}) {
    auto& port = ports_[static_cast<std::size_t>(rank)];
    port = std::make_unique<net::LinkPort>(link(rank, fault), Rank{rank}, WaitPolicy{});
    memory_.host(Rank{rank}).state = static_cast<std::uint32_t>(ProcessState::living);
    return *port;
  }
  net::LinkPort& port(int rank) { return *ports_[static_cast<std::size_t>(rank)]; }
  Memory& memory() { return memory_; }

  struct Board {
    Memory& memory;
    HostRow& row(Rank rank) { return memory.host(rank); }
  };
  Board board() { return {memory_}; }

 private:
  Memory memory_;
  std::vector<std::unique_ptr<net::LinkPort>> ports_;
};

bool send_packet(FabricNetwork& network, int from, int to, int tag) {
  return network.port(from).put(Rank{to}, eager(from, tag), Bytes{});
}

}  // namespace

TEST_CASE("the fabric keeps order, takes all sizes and pieces, and serves EXEC") {
  check_order_and_sizes<FabricNetwork>();
  check_pieces<FabricNetwork>();
  check_control_notice<FabricNetwork>();
}

TEST_CASE("packets find their way over four switches, and each port counts them") {
  FabricNetwork network{3, parse_topology("switch a 4\nswitch b 4\nswitch c 4\nswitch d 4\n"
                                          "cable a:0 b:1\ncable b:0 c:1\ncable c:0 d:1\n"
                                          "host x a:3\nhost y d:3\nhost z b:2",
                                          "net")};
  for (int rank = 0; rank < 3; ++rank) network.join(rank);
  REQUIRE(send_packet(network, 0, 1, 1));
  REQUIRE(send_packet(network, 2, 1, 2));
  REQUIRE(send_packet(network, 1, 0, 3));
  CHECK(polled(network.port(1)) == Words{"0 1 0", "2 2 0"});
  CHECK(polled(network.port(0)) == Words{"1 3 0"});
  CHECK(network.memory().port(3, 3).packets == 2);
  CHECK(network.memory().port(1, 0).packets == 2);
  CHECK(network.memory().port(0, 3).packets == 1);
  CHECK(network.memory().port(2, 2).packets == 0);
}

TEST_CASE("a port that a packet goes through stops others, until the tail is through") {
  FabricNetwork network{3};
  for (int rank = 0; rank < 3; ++rank) network.join(rank);
  auto& held = network.memory().port(0, 1);
  held.holder = 3;
  CHECK_FALSE(send_packet(network, 0, 1, 1));
  CHECK(send_packet(network, 0, 2, 2));
  held.holder = 0;
  CHECK(send_packet(network, 0, 1, 1));
  CHECK(held.holder == 0);
}

TEST_CASE("the cables of a dead sender are free again, and its packets come before its end") {
  FabricNetwork network{3};
  for (int rank = 0; rank < 3; ++rank) network.join(rank);
  REQUIRE(send_packet(network, 2, 1, 1));
  network.memory().port(0, 1).holder = 3;
  network.memory().mark_ended(Rank{2});
  CHECK(send_packet(network, 0, 1, 2));
  CHECK(polled(network.port(1)) == Words{"2 1 0", "0 2 0", "gone 2"});
  CHECK(network.port(1).ended(Rank{2}));
  CHECK(send_packet(network, 1, 2, 3));
}

TEST_CASE("a queue without room stops its senders, which are notified of room") {
  FabricNetwork network{2};
  auto const link = network.link(0);
  const std::vector<std::byte> frame(largest_frame);
  std::size_t sent = 0;
  while (link->send(Rank{1}, Bytes{frame})) ++sent;
  CHECK(sent == queue_bytes / (largest_frame + cache_line));
  CHECK_FALSE(link->ready());
  CHECK(network.memory().port(0, 1).stops == 1);
  network.memory().host(Rank{1}).consumed = network.memory().host(Rank{1}).tail.load();
  CHECK(link->ready());
  CHECK(link->send(Rank{1}, Bytes{frame}));
}

TEST_CASE("packets go round the end of a queue many times") {
  FabricNetwork network{2};
  network.join(0);
  network.join(1);
  std::vector<std::byte> payload;
  for (int i = 0; i < 500; ++i) {
    payload.resize(static_cast<std::size_t>(i * 37 % 8000));
    REQUIRE(network.port(0).put(Rank{1}, eager(0, i), Bytes{payload}));
    CHECK(polled(network.port(1)) ==
          Words{"0 " + std::to_string(i) + " " + std::to_string(payload.size())});
    polled(network.port(0));
  }
}

TEST_CASE("an injected fault is detected") {
  FabricNetwork network{8};
  auto const strike = [&](FaultInjection::Kind kind) {
    network.join(0, {.kind = kind, .sender = Rank{0}, .packet = 0});
    network.join(1);
    return send_packet(network, 0, 1, 1);
  };
  SECTION("a bit") {
    REQUIRE(strike(FaultInjection::Kind::flip));
    CHECK_THROWS_WITH(polled(network.port(1)),
                      Contains("a packet of process 0 came damaged: its CRC"));
  }
  SECTION("a packet") {
    REQUIRE(strike(FaultInjection::Kind::lose));
    REQUIRE(send_packet(network, 0, 1, 2));
    CHECK_THROWS_WITH(polled(network.port(1)),
                      Contains("packet 0 of process 0 to process 1 is missing"));
  }
  SECTION("a route") {
    REQUIRE(strike(FaultInjection::Kind::route));
    network.join(2);
    CHECK_THROWS_WITH(polled(network.port(2)), Contains("came"));
  }
  SECTION("a cable") {
    CHECK_THROWS_WITH(strike(FaultInjection::Kind::cut),
                      "the cable of process 0 (switch 0, port 0) is cut: nothing goes through");
  }
}

TEST_CASE("memory of another kind is refused, and so is a process without a place") {
  FabricNetwork network{2};
  CHECK_THROWS_WITH(network.link(2),
                    "process 2 has no place in a job of at most 2 processes; install Earl again");
  SharedMemory other{"other", 65536};
  Descriptor copy{::fcntl(other.descriptor(), F_DUPFD_CLOEXEC, 0)};
  CHECK_THROWS_WITH(Memory{std::move(copy)},
                    Contains("is not the shared memory of a job on Earl's"));
}

TEST_CASE("data that no process wrote into a queue is refused") {
  FabricNetwork network{2};
  network.join(0);
  network.join(1);
  REQUIRE(send_packet(network, 0, 1, 1));
  auto* const arrival = reinterpret_cast<ArrivalRow*>(network.memory().queue(Rank{1}));
  SECTION("its size") { arrival->size = largest_frame + 1; }
  SECTION("its sender") { arrival->source = 77; }
  CHECK_THROWS_WITH(polled(network.port(1)), Contains("the job's memory is damaged"));
}
