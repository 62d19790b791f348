// SPDX-License-Identifier: BSD-3-Clause
/// Places on the fabric that processes have one after another.
#include "backends/myrinet/fabric.hpp"
#include "backends/net/port.hpp"
#include "tests/backends/reuse_cases.hpp"

namespace earl {
extern Backend const myrinet_back_end;
}

using namespace earl;
using namespace earl::myrinet;
using namespace earl::test;

namespace {

/// The job's memory alone: a test is EXEC and all processes.
class ReusedNetwork {
 public:
  Memory& memory() { return memory_; }
  std::unique_ptr<net::LinkPort> join(int rank) {
    Descriptor copy{::fcntl(memory_.descriptor(), F_DUPFD_CLOEXEC, 0)};
    auto port = std::make_unique<net::LinkPort>(
        std::make_unique<FabricLink>(std::make_unique<Memory>(std::move(copy)), Rank{rank},
                                     FaultInjection{}),
        Rank{rank}, WaitPolicy{});
    CHECK(memory_.set_living(Rank{rank}));
    return port;
  }

 private:
  Memory memory_{places, usual_topology(places)};
};

}  // namespace

TEST_CASE("fabric: a process that has the place of one that has ended is not taken for it") {
  check_places_of_others(myrinet_back_end);
}

TEST_CASE("fabric: a process that has fallen behind is notified of the ends of its peers") {
  check_missed_ends(myrinet_back_end);
}

TEST_CASE("fabric: packets that have come for the process before are not this one's") {
  ReusedNetwork network;
  auto const sender = network.join(0);
  auto old = network.join(1);
  REQUIRE(sender->put(Rank{1}, eager(0, 1), Bytes{}));
  network.memory().mark_ended(Rank{1});
  network.memory().begin(Rank{1 + places});
  auto const young = network.join(1 + places);
  CHECK(polled(*young) == Words{"gone 1"});
  REQUIRE(sender->put(Rank{1 + places}, eager(0, 2), Bytes{}));
  CHECK(polled(*young) == Words{"0 2 0"});
}

TEST_CASE("fabric: a packet that comes late for the process before is dropped") {
  ReusedNetwork network;
  auto const sender = network.join(0);
  auto const young = network.join(1);
  REQUIRE(sender->put(Rank{1}, eager(0, 1), Bytes{}));
  // As if it had left for another process of this place.
  auto* const packet = reinterpret_cast<ArrivalRow*>(network.memory().queue(Rank{1}));
  packet->dest = 1 + places;
  CHECK(polled(*young).empty());
  CHECK(network.memory().host(Rank{1}).consumed.load() ==
        network.memory().host(Rank{1}).tail.load());
}

TEST_CASE("fabric: the end of a sender is reported after its packets, however late they are read") {
  ReusedNetwork network;
  auto const master = network.join(0);
  {
    auto const sender = network.join(1);
    REQUIRE(sender->put(Rank{0}, eager(1, 7), Bytes{}));
  }
  network.memory().mark_ended(Rank{1});
  for (int n = 1; n <= 3 * places; ++n) {
    const Rank other{2 + n * places};
    network.memory().begin(other);
    network.memory().mark_ended(other);
  }
  CHECK(polled(*master) == Words{"1 7 0", "gone 1"});
}
