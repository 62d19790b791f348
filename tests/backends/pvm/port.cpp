// SPDX-License-Identifier: BSD-3-Clause
#include "backends/pvm/port.hpp"

#include <sys/mman.h>

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"
#include "tests/backends/packet_log.hpp"
#include "tests/backends/port_cases.hpp"
#include "tests/backends/pvm/fake.hpp"

using namespace earl;
using namespace earl::pvm_backend;
using namespace earl::pvm_backend::test;
using namespace earl::test;

namespace {

std::vector<std::byte> const payload(1000);

}  // namespace

TEST_CASE("packets of one source come as they were sent, of any size up to the limit") {
  check_order_and_sizes<Network>();
}

TEST_CASE("a payload of many pieces arrives whole") { check_pieces<Network>(); }

TEST_CASE("one packet for many reaches each with the header that is its own, between its others") {
  Network network{4};
  for (int rank = 0; rank < 4; ++rank) network.join(rank);
  REQUIRE(network.port(0).limits().multicasts);
  REQUIRE(network.port(0).put(Rank{2}, eager(0, 1), Bytes{payload}));
  const std::vector<Addressed> all{{Rank{1}, eager(0, 21)}, {Rank{2}, eager(0, 22)}};
  REQUIRE(network.port(0).put_all(all, Bytes{payload}));
  REQUIRE(network.port(0).put(Rank{2}, eager(0, 3), Bytes{payload}));
  CHECK(polled(network.port(1)) == Words{"0 21 1000"});
  CHECK(polled(network.port(2)) == Words{"0 1 1000", "0 22 1000", "0 3 1000"});
  CHECK(polled(network.port(3)).empty());
}

TEST_CASE("a packet for more than one frame has shares for reaches them all") {
  constexpr int others = 2 * static_cast<int>(most_shares) + 3;
  Network network{others + 1};
  std::vector<Addressed> all;
  network.join(0);
  for (int rank = 1; rank <= others; ++rank) {
    network.join(rank);
    all.push_back({Rank{rank}, eager(0, rank)});
  }
  REQUIRE(network.port(0).put_all(all, Bytes{payload}));
  for (int rank = 1; rank <= others; ++rank)
    CHECK(polled(network.port(rank)) == Words{"0 " + std::to_string(rank) + " 1000"});
}

TEST_CASE("a packet for many leaves for none when one of them has no room, or has not enrolled") {
  Network network{4};
  for (int rank = 0; rank < 3; ++rank) network.join(rank);
  while (network.port(0).put(Rank{1}, eager(0, 1), Bytes{payload})) continue;
  const std::vector<Addressed> full{{Rank{1}, eager(0, 2)}, {Rank{2}, eager(0, 2)}};
  CHECK_FALSE(network.port(0).put_all(full, Bytes{payload}));
  const std::vector<Addressed> missing{{Rank{2}, eager(0, 2)}, {Rank{3}, eager(0, 2)}};
  CHECK_FALSE(network.port(0).put_all(missing, Bytes{payload}));
  CHECK(polled(network.port(2)).empty());
  polled(network.port(1));
  polled(network.port(0));  // the credit
  CHECK(network.port(0).put_all(full, Bytes{payload}));
  CHECK(polled(network.port(2)) == Words{"0 2 1000"});
}

TEST_CASE("of a packet for many, the share of one that has ended is counted and gone") {
  Network network{3};
  for (int rank = 0; rank < 3; ++rank) network.join(rank);
  network.board().mark_ended(Rank{1});
  const std::vector<Addressed> all{{Rank{1}, eager(0, 1)}, {Rank{2}, eager(0, 1)}};
  REQUIRE(network.port(0).put_all(all, Bytes{payload}));
  CHECK(network.port(0).lost() == 1);
  CHECK(polled(network.port(2)) == Words{"0 1 1000"});
  CHECK(polled(network.port(0)) == Words{"gone 1"});
}

TEST_CASE("a packet for many that is cut, has no share for its reader or is malformed is dropped") {
  Network network{3};
  for (int rank = 0; rank < 3; ++rank) network.join(rank);
  auto& queue = network.pvm().queues[Network::tid_of(2)];
  const std::vector<Addressed> all{{Rank{1}, eager(0, 1)}, {Rank{2}, eager(0, 1)}};
  auto const broken = [&](auto harm) {
    REQUIRE(network.port(0).put_all(all, Bytes{payload}));
    network.pvm().queues[Network::tid_of(1)].clear();
    harm(queue.back());
    return polled(network.port(2)).empty();
  };
  CHECK(broken([](Sent& one) { one.bytes.resize(sizeof(Share) + 3); }));
  CHECK(broken([](Sent& one) { one.bytes.resize(1); }));
  CHECK(broken([](Sent& one) { one.from = Network::tid_of(1); }));
  CHECK(broken([](Sent& one) { one.bytes[sizeof(Share)] = std::byte{99}; }));
  CHECK(broken([](Sent& one) { one.bytes[offsetof(Share, count)] = std::byte{1}; }));
  CHECK_FALSE(broken([](Sent&) {}));
}

TEST_CASE("a process that does not receive is sent no more than the window; receiving makes room") {
  check_window<Network>(Window::most);
}

TEST_CASE("there is no room at one that has not enrolled, until it has") {
  Network network{2};
  network.join(0);
  CHECK_FALSE(network.port(0).put(Rank{1}, eager(0, 1), Bytes{}));
  CHECK(network.board().row(Rank{1}).wanted.load() == 1);
  network.join(1);
  CHECK(network.port(0).put(Rank{1}, eager(0, 1), Bytes{}));
}

TEST_CASE("on a direct route, packets that overtook others that went by the daemon wait for them") {
  Network network{2};
  for (int rank = 0; rank < 2; ++rank) network.join(rank, {.route = Route::direct});
  for (int tag = 1; tag <= 4; ++tag)
    REQUIRE(network.port(1).put(Rank{0}, eager(1, tag), Bytes{payload}));
  auto& queue = network.pvm().queues[Network::tid_of(0)];
  auto const late = queue.front();
  queue.pop_front();
  std::swap(queue[0], queue[2]);
  CHECK(polled(network.port(0)).empty());
  queue.push_back(late);
  CHECK(polled(network.port(0)) == Words{"1 1 1000", "1 2 1000", "1 3 1000", "1 4 1000"});
  REQUIRE(network.port(1).put(Rank{0}, eager(1, 5), Bytes{payload}));
  CHECK(polled(network.port(0)) == Words{"1 5 1000"});
}

TEST_CASE("a rank is gone after its last packet, not at EXEC's notice of its death") {
  Network network{2};
  network.join(0);
  network.join(1);
  REQUIRE(network.port(1).put(Rank{0}, eager(1, 1), Bytes{payload}));
  REQUIRE(polled(network.port(0)) == Words{"1 1 1000"});
  REQUIRE(network.port(1).put(Rank{0}, eager(1, 2), Bytes{payload}));
  network.board().mark_ended(Rank{1});
  CHECK(network.port(0).ended(Rank{1}));
  Words all;
  for (int i = 0; i < 3; ++i)
    for (auto const& word : polled(network.port(0))) all.push_back(word);
  CHECK(all == Words{"1 2 1000", "gone 1"});
  CHECK(network.pvm().watched == std::vector<int>{Network::tid_of(1)});
}

TEST_CASE("a process that has fallen behind observes the ends of its peers") {
  Network network{2};
  network.join(0);
  network.join(1);
  REQUIRE(network.port(1).put(Rank{0}, eager(1, 1), Bytes{payload}));
  REQUIRE(polled(network.port(0)) == Words{"1 1 1000"});
  network.board().mark_ended(Rank{1});
  for (int rank = 3; rank < 9; rank += 2) {  // all in the row of rank 1: the list comes round
    network.board().begin(Rank{rank});
    network.board().mark_ended(Rank{rank});
  }
  Words received;
  for (int i = 0; i < 3; ++i)
    for (auto& word : polled(network.port(0))) received.push_back(std::move(word));
  CHECK(received == Words{"gone 1"});
  CHECK(network.board().all_drained(network.board().head().deaths.load()));
}

TEST_CASE("packets to the dead are counted and dropped") {
  Network network{2};
  network.join(0);
  network.join(1);
  network.board().mark_ended(Rank{1});
  for (int i = 0; i < 200; ++i) CHECK(network.port(0).put(Rank{1}, eager(0, 1), Bytes{payload}));
  CHECK(network.port(0).lost() == 200);
  CHECK(polled(network.port(0)) == Words{"gone 1"});
}

TEST_CASE("one that died before it enrolled is gone at once") {
  Network network{2};
  network.join(0);
  REQUIRE_FALSE(network.port(0).put(Rank{1}, eager(0, 1), Bytes{}));
  network.board().mark_ended(Rank{1});
  CHECK(polled(network.port(0)) == Words{"gone 1"});
}

TEST_CASE("a message of a task that is not the rank it names is dropped") {
  Network network{3};
  network.join(0);
  network.join(1);
  network.join(2);
  REQUIRE(network.port(2).put(Rank{0}, eager(1, 1), Bytes{payload}));
  network.pvm().queues[Network::tid_of(0)].push_back({.from = 77, .bytes = {std::byte{1}}});
  CHECK(polled(network.port(0)).empty());
}

TEST_CASE("of several hosts, packets that come before their sender is known wait, in order") {
  Network network{2, Secret{}};
  network.join(0);
  network.join(1);
  auto& known = network.board().row(Rank{1}).tid;
  auto const tid = known.exchange(0);
  REQUIRE(network.port(1).put(Rank{0}, eager(1, 1), Bytes{payload}));
  CHECK(polled(network.port(0)).empty());
  CHECK(network.board().row(Rank{1}).wanted.load() == 1);
  REQUIRE(network.port(1).put(Rank{0}, eager(1, 2), Bytes{payload}));
  network.board().set_address(Rank{1}, std::to_string(tid));
  CHECK(polled(network.port(0)) == Words{"1 1 1000", "1 2 1000"});
}

TEST_CASE("of several hosts, PVM is asked although no process here has counted a packet") {
  Network network{2, Secret{}};
  network.join(0);
  network.join(1);
  REQUIRE(polled(network.port(0)).empty());
  REQUIRE(network.port(1).put(Rank{0}, eager(1, 1), Bytes{payload}));
  network.board().row(Rank{0}).frames.store(0);
  CHECK(polled(network.port(0)) == Words{"1 1 1000"});
}

TEST_CASE("an address is a task, and of one process only") {
  Network network{3, Secret{}};
  CHECK(network.board().address(Rank{0}).empty());
  network.board().set_address(Rank{0}, "262145");
  network.board().set_address(Rank{0}, "262145");
  CHECK(network.board().address(Rank{0}) == "262145");
  CHECK_THROWS_WITH(network.board().set_address(Rank{1}, "262145"),
                    Catch::Contains("not of one virtual machine"));
  for (auto const* text : {"", "0", "-5", "t40001", "99999999999"})
    CHECK_THROWS_AS(network.board().set_address(Rank{2}, text), Error);
}

TEST_CASE("hosts of one job are in one context, and jobs in their own") {
  Secret one{};
  one.fill(std::byte{7});
  CHECK(Network(1, one).board().head().context == Network(1, one).board().head().context);
  CHECK(Network(1, one).board().head().context != Network(1, Secret{}).board().head().context);
}

TEST_CASE("a control notice of EXEC is observed once") { check_control_notice<Network>(); }

TEST_CASE("waiting ends with the deadline, with wake(), and when EXEC has rung") {
  Network network{1};
  PvmPort& port = network.join(0);
  REQUIRE(polled(port).empty());
  port.wait(Clock::now() + std::chrono::milliseconds{1});
  port.wake();
  port.wait(never);
}

TEST_CASE("a daemon that is gone is said in a sentence") {
  Network network{2};
  network.join(0);
  network.join(1);
  network.pvm().daemon_lives = false;
  CHECK_THROWS_WITH(polled(network.port(0)), Catch::Contains("pvmd) does not answer"));
  CHECK_THROWS_AS(network.port(0).put(Rank{1}, eager(0, 1), Bytes{}), Error);
  CHECK_THROWS_AS(network.join(1), Error);
}

TEST_CASE("a job's board is refused when it is something else") {
  CHECK_THROWS_WITH(Board{Descriptor(::memfd_create("other", MFD_CLOEXEC))},
                    Catch::Contains("not the shared memory of a job on PVM"));
}

TEST_CASE(
    "the row of an ended process is free when all it sent is taken in; what comes later is not") {
  Network network{2};
  auto& board = network.board();
  network.join(0);
  network.join(1);
  REQUIRE(network.port(1).put(Rank{0}, eager(1, 5), Bytes{payload}));
  auto& queue = network.pvm().queues[Network::tid_of(0)];
  auto const late = queue.back();
  board.mark_ended(Rank{1});
  CHECK_FALSE(board.all_drained(board.head().deaths.load()));
  Words received;
  for (int i = 0; i < 3; ++i)
    for (auto& word : polled(network.port(0))) received.push_back(std::move(word));
  CHECK(received == Words{"1 5 1000", "gone 1"});
  CHECK(board.all_drained(board.head().deaths.load()));

  board.begin(Rank{3});
  network.join(3);
  board.row(Rank{0}).frames.fetch_add(1);
  queue.push_back(late);
  CHECK(polled(network.port(0)).empty());
  REQUIRE(network.port(3).put(Rank{0}, eager(3, 7), Bytes{payload}));
  CHECK(polled(network.port(0)) == Words{"3 7 1000"});
  CHECK(network.port(0).put(Rank{1}, eager(0, 8), Bytes{payload}));  // to the one before
  CHECK(polled(network.port(3)).empty());
}

TEST_CASE("a process whose task is not known here yet is not taken for the one before") {
  Network network{2, random_secret()};
  auto& board = network.board();
  network.join(0);
  board.set_address(Rank{1}, "77");
  board.mark_ended(Rank{1});
  CHECK_FALSE(network.port(0).put(Rank{3}, eager(0, 1), Bytes{payload}));
  CHECK(board.begin(Rank{3}));  // it is waited for
  CHECK_FALSE(network.port(0).put(Rank{3}, eager(0, 1), Bytes{payload}));
  board.set_address(Rank{3}, "99");
  CHECK(network.port(0).put(Rank{3}, eager(0, 1), Bytes{payload}));
  CHECK(network.pvm().queues[77].empty());
  CHECK(network.pvm().queues[99].size() == 1);
}
