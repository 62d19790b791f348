#include "backends/pvm/port.hpp"

#include <sys/mman.h>

#include <catch2/catch.hpp>

#include "generic/base/error.hpp"
#include "tests/backends/heard.hpp"
#include "tests/backends/machine_cases.hpp"
#include "tests/backends/pvm/fake.hpp"

using namespace earl;
using namespace earl::pvm_machine;
using namespace earl::pvm_machine::test;
using namespace earl::test;

namespace {

std::vector<std::byte> const payload(1000);

}  // namespace

TEST_CASE("packets of one source come as they were sent, of any size up to the limit") {
  check_order_and_sizes<Machine>();
}

TEST_CASE("a payload of many pieces arrives whole") { check_pieces<Machine>(); }

TEST_CASE("one packet for many reaches each with the header that is its own, between its others") {
  Machine machine{4};
  for (int rank = 0; rank < 4; ++rank) machine.join(rank);
  REQUIRE(machine.port(0).limits().multicasts);
  REQUIRE(machine.port(0).put(Rank{2}, eager(0, 1), Bytes{payload}));
  const std::vector<Addressed> all{{Rank{1}, eager(0, 21)}, {Rank{2}, eager(0, 22)}};
  REQUIRE(machine.port(0).put_all(all, Bytes{payload}));
  REQUIRE(machine.port(0).put(Rank{2}, eager(0, 3), Bytes{payload}));
  CHECK(polled(machine.port(1)) == Words{"0 21 1000"});
  CHECK(polled(machine.port(2)) == Words{"0 1 1000", "0 22 1000", "0 3 1000"});
  CHECK(polled(machine.port(3)).empty());
}

TEST_CASE("a packet for more than one frame has shares for reaches them all") {
  constexpr int others = 2 * static_cast<int>(most_shares) + 3;
  Machine machine{others + 1};
  std::vector<Addressed> all;
  machine.join(0);
  for (int rank = 1; rank <= others; ++rank) {
    machine.join(rank);
    all.push_back({Rank{rank}, eager(0, rank)});
  }
  REQUIRE(machine.port(0).put_all(all, Bytes{payload}));
  for (int rank = 1; rank <= others; ++rank)
    CHECK(polled(machine.port(rank)) == Words{"0 " + std::to_string(rank) + " 1000"});
}

TEST_CASE("a packet for many leaves for none when one of them has no room, or has not enrolled") {
  Machine machine{4};
  for (int rank = 0; rank < 3; ++rank) machine.join(rank);
  while (machine.port(0).put(Rank{1}, eager(0, 1), Bytes{payload})) continue;
  const std::vector<Addressed> full{{Rank{1}, eager(0, 2)}, {Rank{2}, eager(0, 2)}};
  CHECK_FALSE(machine.port(0).put_all(full, Bytes{payload}));
  const std::vector<Addressed> missing{{Rank{2}, eager(0, 2)}, {Rank{3}, eager(0, 2)}};
  CHECK_FALSE(machine.port(0).put_all(missing, Bytes{payload}));
  CHECK(polled(machine.port(2)).empty());
  polled(machine.port(1));
  polled(machine.port(0));  // the credit
  CHECK(machine.port(0).put_all(full, Bytes{payload}));
  CHECK(polled(machine.port(2)) == Words{"0 2 1000"});
}

TEST_CASE("of a packet for many, the share of one that has ended is counted and gone") {
  Machine machine{3};
  for (int rank = 0; rank < 3; ++rank) machine.join(rank);
  machine.board().mark_ended(Rank{1});
  const std::vector<Addressed> all{{Rank{1}, eager(0, 1)}, {Rank{2}, eager(0, 1)}};
  REQUIRE(machine.port(0).put_all(all, Bytes{payload}));
  CHECK(machine.port(0).lost() == 1);
  CHECK(polled(machine.port(2)) == Words{"0 1 1000"});
  CHECK(polled(machine.port(0)) == Words{"gone 1"});
}

TEST_CASE("a packet for many that is cut, has no share for its reader or is malformed is dropped") {
  Machine machine{3};
  for (int rank = 0; rank < 3; ++rank) machine.join(rank);
  auto& queue = machine.pvm().queues[Machine::tid_of(2)];
  const std::vector<Addressed> all{{Rank{1}, eager(0, 1)}, {Rank{2}, eager(0, 1)}};
  auto const broken = [&](auto harm) {
    REQUIRE(machine.port(0).put_all(all, Bytes{payload}));
    machine.pvm().queues[Machine::tid_of(1)].clear();
    harm(queue.back());
    return polled(machine.port(2)).empty();
  };
  CHECK(broken([](Sent& one) { one.bytes.resize(sizeof(Share) + 3); }));
  CHECK(broken([](Sent& one) { one.bytes.resize(1); }));
  CHECK(broken([](Sent& one) { one.from = Machine::tid_of(1); }));
  CHECK(broken([](Sent& one) { one.bytes[sizeof(Share)] = std::byte{99}; }));
  CHECK(broken([](Sent& one) { one.bytes[offsetof(Share, count)] = std::byte{1}; }));
  CHECK_FALSE(broken([](Sent&) {}));
}

TEST_CASE("a process that does not receive is sent no more than the window; receiving makes room") {
  Machine machine{2};
  machine.join(0);
  machine.join(1);
  std::size_t under_way = 0;
  while (machine.port(0).put(Rank{1}, eager(0, 1), Bytes{payload})) under_way += payload.size();
  CHECK(under_way <= Window::most);
  CHECK(under_way > Window::most / 2);
  CHECK(polled(machine.port(1)).size() == under_way / payload.size());
  CHECK(polled(machine.port(0)).empty());  // only the credit came back
  CHECK(machine.port(0).put(Rank{1}, eager(0, 1), Bytes{payload}));
}

TEST_CASE("there is no room at one that has not enrolled, until it has") {
  Machine machine{2};
  machine.join(0);
  CHECK_FALSE(machine.port(0).put(Rank{1}, eager(0, 1), Bytes{}));
  CHECK(machine.board().row(Rank{1}).wanted.load() == 1);
  machine.join(1);
  CHECK(machine.port(0).put(Rank{1}, eager(0, 1), Bytes{}));
}

TEST_CASE("on a direct route, packets that overtook others that went by the daemon wait for them") {
  Machine machine{2};
  for (int rank = 0; rank < 2; ++rank) machine.join(rank, {.route = Route::direct});
  for (int tag = 1; tag <= 4; ++tag)
    REQUIRE(machine.port(1).put(Rank{0}, eager(1, tag), Bytes{payload}));
  auto& queue = machine.pvm().queues[Machine::tid_of(0)];
  auto const late = queue.front();
  queue.pop_front();
  std::swap(queue[0], queue[2]);
  CHECK(polled(machine.port(0)).empty());
  queue.push_back(late);
  CHECK(polled(machine.port(0)) == Words{"1 1 1000", "1 2 1000", "1 3 1000", "1 4 1000"});
  REQUIRE(machine.port(1).put(Rank{0}, eager(1, 5), Bytes{payload}));
  CHECK(polled(machine.port(0)) == Words{"1 5 1000"});
}

TEST_CASE("a rank is gone after its last packet, not at EXEC's notice of its death") {
  Machine machine{2};
  machine.join(0);
  machine.join(1);
  REQUIRE(machine.port(1).put(Rank{0}, eager(1, 1), Bytes{payload}));
  REQUIRE(polled(machine.port(0)) == Words{"1 1 1000"});
  REQUIRE(machine.port(1).put(Rank{0}, eager(1, 2), Bytes{payload}));
  machine.board().mark_ended(Rank{1});
  CHECK(machine.port(0).ended(Rank{1}));
  Words all;
  for (int i = 0; i < 3; ++i)
    for (auto const& word : polled(machine.port(0))) all.push_back(word);
  CHECK(all == Words{"1 2 1000", "gone 1"});
  CHECK(machine.pvm().watched == std::vector<int>{Machine::tid_of(1)});
}

TEST_CASE("packets to the dead are counted and dropped") {
  Machine machine{2};
  machine.join(0);
  machine.join(1);
  machine.board().mark_ended(Rank{1});
  for (int i = 0; i < 200; ++i) CHECK(machine.port(0).put(Rank{1}, eager(0, 1), Bytes{payload}));
  CHECK(machine.port(0).lost() == 200);
  CHECK(polled(machine.port(0)) == Words{"gone 1"});
}

TEST_CASE("one that died before it enrolled is gone at once") {
  Machine machine{2};
  machine.join(0);
  REQUIRE_FALSE(machine.port(0).put(Rank{1}, eager(0, 1), Bytes{}));
  machine.board().mark_ended(Rank{1});
  CHECK(polled(machine.port(0)) == Words{"gone 1"});
}

TEST_CASE("a message of a task that is not the rank it names is dropped") {
  Machine machine{3};
  machine.join(0);
  machine.join(1);
  machine.join(2);
  REQUIRE(machine.port(2).put(Rank{0}, eager(1, 1), Bytes{payload}));
  machine.pvm().queues[Machine::tid_of(0)].push_back({.from = 77, .bytes = {std::byte{1}}});
  CHECK(polled(machine.port(0)).empty());
}

TEST_CASE("of several hosts, packets that come before their sender is known wait, in order") {
  Machine machine{2, Secret{}};
  machine.join(0);
  machine.join(1);
  auto& known = machine.board().row(Rank{1}).tid;
  auto const tid = known.exchange(0);
  REQUIRE(machine.port(1).put(Rank{0}, eager(1, 1), Bytes{payload}));
  CHECK(polled(machine.port(0)).empty());
  CHECK(machine.board().row(Rank{1}).wanted.load() == 1);
  REQUIRE(machine.port(1).put(Rank{0}, eager(1, 2), Bytes{payload}));
  machine.board().set_address(Rank{1}, std::to_string(tid));
  CHECK(polled(machine.port(0)) == Words{"1 1 1000", "1 2 1000"});
}

TEST_CASE("of several hosts, PVM is asked although no process here has counted a packet") {
  Machine machine{2, Secret{}};
  machine.join(0);
  machine.join(1);
  REQUIRE(polled(machine.port(0)).empty());
  REQUIRE(machine.port(1).put(Rank{0}, eager(1, 1), Bytes{payload}));
  machine.board().row(Rank{0}).frames.store(0);
  CHECK(polled(machine.port(0)) == Words{"1 1 1000"});
}

TEST_CASE("an address is a task, and of one process only") {
  Machine machine{3, Secret{}};
  CHECK(machine.board().address(Rank{0}).empty());
  machine.board().set_address(Rank{0}, "262145");
  machine.board().set_address(Rank{0}, "262145");
  CHECK(machine.board().address(Rank{0}) == "262145");
  CHECK_THROWS_WITH(machine.board().set_address(Rank{1}, "262145"),
                    Catch::Contains("not of one virtual machine"));
  for (auto const* text : {"", "0", "-5", "t40001", "99999999999"})
    CHECK_THROWS_AS(machine.board().set_address(Rank{2}, text), Error);
}

TEST_CASE("hosts of one job are in one context, and jobs in their own") {
  Secret one{};
  one.fill(std::byte{7});
  CHECK(Machine(1, one).board().head().context == Machine(1, one).board().head().context);
  CHECK(Machine(1, one).board().head().context != Machine(1, Secret{}).board().head().context);
}

TEST_CASE("a control notice of EXEC is observed once") { check_control_notice<Machine>(); }

TEST_CASE("waiting ends with the deadline, with wake(), and when EXEC has rung") {
  Machine machine{1};
  PvmPort& port = machine.join(0);
  REQUIRE(polled(port).empty());
  port.wait(Clock::now() + std::chrono::milliseconds{1});
  port.wake();
  port.wait(never);
}

TEST_CASE("a daemon that is gone is said in a sentence") {
  Machine machine{2};
  machine.join(0);
  machine.join(1);
  machine.pvm().daemon_lives = false;
  CHECK_THROWS_WITH(polled(machine.port(0)), Catch::Contains("pvmd) does not answer"));
  CHECK_THROWS_AS(machine.port(0).put(Rank{1}, eager(0, 1), Bytes{}), Error);
  CHECK_THROWS_AS(machine.join(1), Error);
}

TEST_CASE("a job's board is refused when it is something else") {
  CHECK_THROWS_WITH(Board{Descriptor(::memfd_create("other", MFD_CLOEXEC))},
                    Catch::Contains("not the shared memory of a job on PVM"));
}
