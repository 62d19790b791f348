// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/port.hpp"

#include <sys/mman.h>

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"
#include "tests/backends/hosted/fake.hpp"
#include "tests/backends/packet_log.hpp"
#include "tests/backends/port_cases.hpp"

using namespace earl;
using namespace earl::hosted_backend;
using namespace earl::hosted_backend::test;
using namespace earl::test;

namespace {

std::vector<std::byte> numbered(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 256);
  return bytes;
}

std::vector<std::byte> const payload(1000);
constexpr TransferId transfer{5};

/// Two processes; 0 exposes.
struct Pair {
  Network network{2};
  std::vector<std::byte> data = numbered(100'000);
  Offer offer{};

  Pair() {
    network.join(0);
    network.join(1);
    offer = {transfer, network.port(0).expose(transfer, Bytes{data})};
  }
};

}  // namespace

TEST_CASE("packets of one source come as they were sent, of any size up to the limit") {
  check_order_and_sizes<Network>();
}

TEST_CASE("a payload of many pieces arrives whole") { check_pieces<Network>(); }

TEST_CASE("a process that does not receive is sent no more than the window; receiving makes room") {
  check_window<Network>(Window::most);
}

TEST_CASE("a receive that has been filled is posted again while the process waits") {
  Network network{2};
  network.join(0);
  network.join(1);
  auto const before = network.mpi().posted.size();
  REQUIRE(network.port(0).put(Rank{1}, eager(0, 1), Bytes{}));
  REQUIRE(polled(network.port(1)).size() == 1);
  CHECK(network.mpi().posted.size() == before);
  network.port(1).wait(Deadline{});
  CHECK(network.mpi().posted.size() == before + 1);
}

TEST_CASE("a long message goes from memory to memory, cut to the room there is") {
  Pair pair;
  const std::size_t size = GENERATE(100'000U, 70'000U, 200'000U);
  std::vector<std::byte> room(size);
  REQUIRE(pair.network.port(1).pull(Rank{0}, pair.offer, MutableBytes{room}) == Pulled::under_way);
  CHECK(polled(pair.network.port(1)).empty());
  polled(pair.network.port(0));
  CHECK(polled(pair.network.port(1)) == Words{"moved 0 5"});
  auto const got = std::min(size, pair.data.size());
  CHECK(
      std::equal(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(got), pair.data.begin()));
  pair.network.port(0).unexpose(pair.offer.remote);
}

TEST_CASE("a long message is scattered") {
  Pair pair;
  std::vector<std::byte> first(30'000);
  std::vector<std::byte> second(70'000);
  std::vector<MutableBytes> const pieces{MutableBytes{first}, MutableBytes{second}};
  REQUIRE(pair.network.port(1).pull(Rank{0}, pair.offer, Scatter{std::span{pieces}}) ==
          Pulled::under_way);
  polled(pair.network.port(0));
  CHECK(polled(pair.network.port(1)) == Words{"moved 0 5"});
  first.insert(first.end(), second.begin(), second.end());
  CHECK(first == pair.data);
}

TEST_CASE("memory that no receiver has requested is copied aside; memory being read is not") {
  Pair pair;
  auto& sender = pair.network.port(0);
  CHECK_FALSE(sender.claimed(pair.offer.remote));
  bool const asked = GENERATE(false, true);
  std::vector<std::byte> room(pair.data.size());
  if (asked) {
    static_cast<void>(pair.network.port(1).pull(Rank{0}, pair.offer, MutableBytes{room}));
    polled(pair.network.port(0));
  }
  CHECK(pair.network.port(0).claimed(pair.offer.remote) == asked);
  CHECK(pair.network.port(0).copy_exposed(pair.offer.remote) == !asked);
  if (asked) return;
  auto const before = std::exchange(pair.data, numbered(1));
  static_cast<void>(pair.network.port(1).pull(Rank{0}, pair.offer, MutableBytes{room}));
  polled(pair.network.port(0));
  polled(pair.network.port(1));
  CHECK(room == before);
}

TEST_CASE("reads from a departed peer complete before the notice that it is gone") {
  Pair pair;
  std::vector<std::byte> room(pair.data.size());
  REQUIRE(pair.network.port(1).pull(Rank{0}, pair.offer, MutableBytes{room}) == Pulled::under_way);
  pair.network.board().change(Rank{0}, ProcessState::departed);
  CHECK(pair.network.port(1).ended(Rank{0}));
  CHECK(polled(pair.network.port(1)).empty());
  polled(pair.network.port(0));
  CHECK(polled(pair.network.port(1)) == Words{"moved 0 5", "gone 0"});
  CHECK(polled(pair.network.port(1)).empty());
}

TEST_CASE("of one that has died nothing is read") {
  Pair pair;
  pair.network.board().change(Rank{0}, ProcessState::ended);
  std::vector<std::byte> room(10);
  CHECK(pair.network.port(1).pull(Rank{0}, pair.offer, MutableBytes{room}) == Pulled::gone);
}

TEST_CASE("packets to departed peers are counted and dropped") {
  Network network{2};
  network.join(0);
  network.join(1);
  network.board().change(Rank{1}, ProcessState::departed);
  CHECK(polled(network.port(0)).empty());  // it never knew of it
  for (int i = 0; i < 200; ++i) CHECK(network.port(0).put(Rank{1}, eager(0, 1), Bytes{payload}));
  CHECK(network.port(0).lost() == 200);
  CHECK(polled(network.port(0)) == Words{"gone 1"});
}

TEST_CASE("a packet of no process, or for memory that does not exist, changes nothing") {
  Network network{2};
  network.join(0);
  network.join(1);
  std::vector<std::byte> room(10);
  const Offer nothing{transfer, {.where = 99, .more = 10}};
  REQUIRE(network.port(1).pull(Rank{0}, nothing, MutableBytes{room}) == Pulled::under_way);
  Frame const strange{.header = eager(7, 1)};
  auto const bytes = bytes_of(strange);
  network.mpi().sent.push_back(
      {.from = 1, .to = 0, .tag = packet_tag, .bytes = {bytes.begin(), bytes.end()}});
  network.mpi().sent.push_back({.from = 1, .to = 0, .tag = packet_tag, .bytes = {std::byte{1}}});
  CHECK(polled(network.port(0)).empty());
}

TEST_CASE("a control notice of EXEC is observed once") { check_control_notice<Network>(); }

TEST_CASE("waiting ends with the deadline, with wake(), and soon in any case") {
  Network network{1};
  LibraryPort& port = network.join(0);
  for (int i = 0; i < 1000; ++i) port.wait(Clock::now() + std::chrono::microseconds{10});
  port.wake();
  port.wait(never);
}

TEST_CASE("an error of MPI is reported with its text") {
  Network network{2};
  network.join(0);
  network.mpi().broken = true;
  CHECK_THROWS_WITH(polled(network.port(0)), "MPI cannot receive: no such luck");
  CHECK_THROWS_WITH(network.port(0).put(Rank{1}, eager(0, 1), Bytes{}),
                    "MPI cannot send: no such luck");
  CHECK_THROWS_WITH(network.join(1), "MPI cannot begin: no such luck");
}

TEST_CASE("a leaving process waits for no departed one, and ends MPI unless one is missed") {
  Network network{2};
  network.join(0);
  network.join(1);
  auto const state = GENERATE(ProcessState::drained, ProcessState::ended);
  network.board().change(Rank{1}, state);
  network.port(0).leave();
  CHECK(network.mpi().left == (state == ProcessState::drained ? 1 : 0));
  CHECK(network.board().state(Rank{0}) == ProcessState::outside);
}

TEST_CASE("another host is notified of departures through one of its processes") {
  Network network({0, 1, 1});
  for (int rank = 0; rank < 3; ++rank) network.join(rank);
  // Those there have left as far as this host knows, so that it does not wait.
  for (auto const rank : {Rank{1}, Rank{2}}) network.board(0).change(rank, ProcessState::drained);
  network.port(0).leave();
  CHECK(network.board(1).state(Rank{0}) == ProcessState::unborn);
  CHECK(polled(network.port(2)).empty());
  CHECK(network.board(1).state(Rank{0}) == ProcessState::unborn);
  while (network.board(1).state(Rank{0}) != ProcessState::drained) polled(network.port(1));
}

TEST_CASE("a job's board is refused when it is something else") {
  CHECK_THROWS_WITH(Board{Descriptor(::memfd_create("other", MFD_CLOEXEC))},
                    Catch::Contains("not the shared memory of a job on a native library"));
}
