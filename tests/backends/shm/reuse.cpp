// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "tests/backends/shm/harness.hpp"
#include "tests/sanitized.hpp"

using namespace earl;
using namespace earl::shm;
using namespace earl::shm::test;

namespace {

constexpr int slots = 4;

/// A process that is given `rank`, and its port.
std::unique_ptr<ShmPort> begin(Job& job, int rank) {
  job.exec().named(Rank{rank});
  auto port = job.port(rank);
  job.exec().registered(Rank{rank}, 1);
  return port;
}

void end(Job& job, std::unique_ptr<ShmPort>& port, int rank) {
  port.reset();
  job.exec().ended(Rank{rank});
}

void send(Port& from, int source, int dest, std::string const& text) {
  put(from, dest, message(source, 0, text.size()), text);
}

/// Until nothing happens any more.
void look(Port& port, Log& log) {
  while (port.poll(log) != 0) {
  }
}

}  // namespace

TEST_CASE("a slot is free once every process has taken in the packets of its last owner") {
  Job job{2, slots};
  auto master = begin(job, 0);
  auto worker = begin(job, 1);
  Log log;
  send(*worker, 1, 0, "the last words");
  send(*master, 0, 1, "not read");
  end(job, worker, 1);
  CHECK_FALSE(job.exec().release(Rank{1}));
  look(*master, log);
  CHECK(log.ended == std::vector<Rank>{Rank{1}});
  REQUIRE(log.packets.size() == 1);
  CHECK(job.exec().release(Rank{1}));
}

TEST_CASE("a process that has the slot of one that has ended gets nothing that was meant for it") {
  Job job{2, slots};
  auto master = begin(job, 0);
  auto old = begin(job, 1);
  Log log;
  send(*old, 1, 0, "from the first");
  end(job, old, 1);
  look(*master, log);
  REQUIRE(job.exec().release(Rank{1}));
  auto young = begin(job, 1 + slots);
  CHECK(master->ended(Rank{1}));
  CHECK_FALSE(master->ended(Rank{1 + slots}));
  send(*master, 0, 1, "too late");
  CHECK(master->lost() == 1);
  send(*master, 0, 1 + slots, "for the second");
  send(*young, 1 + slots, 0, "from the second");
  Log received;
  look(*young, received);
  REQUIRE(received.packets.size() == 1);
  CHECK(received.packets[0].bytes == "for the second");
  look(*master, log);
  REQUIRE(log.packets.size() == 2);
  CHECK(log.packets[0].header.source == 1);
  CHECK(log.packets[1].header.source == 1 + slots);
  CHECK(log.ended == std::vector<Rank>{Rank{1}, Rank{1}});  // once more for a late packet
}

TEST_CASE(
    "a process that never looks keeps the slots of those that it has talked to, and no others") {
  Job job{3, slots};
  auto master = begin(job, 0);
  auto quiet = begin(job, 1);
  auto first = begin(job, 2);
  auto second = begin(job, 3);
  Log log;
  send(*first, 2, 1, "for one that does not look");
  send(*second, 3, 0, "for one that does");
  end(job, first, 2);
  end(job, second, 3);
  look(*master, log);
  CHECK_FALSE(job.exec().release(Rank{2}));
  CHECK(job.exec().release(Rank{3}));
  Log late;
  look(*quiet, late);
  REQUIRE(late.packets.size() == 1);
  CHECK(job.exec().release(Rank{2}));
}

TEST_CASE("a process that has ended without looking keeps no slot") {
  Job job{3, slots};
  auto master = begin(job, 0);
  auto one = begin(job, 1);
  auto other = begin(job, 2);
  send(*one, 1, 2, "never read");
  end(job, one, 1);
  CHECK_FALSE(job.exec().release(Rank{1}));
  end(job, other, 2);
  CHECK(job.exec().release(Rank{1}));
  CHECK(job.exec().release(Rank{2}));
}

TEST_CASE("the memory of a job that replaces its processes does not grow") {
  Job job{1, slots};
  auto const segment = job.segment();
  auto master = begin(job, 0);
  Log log;
  std::uint64_t early = 0;
  auto const text = pattern(1, 1, 6'000);
  constexpr int processes = testing::times(3'000, 600);
  for (int n = 0; n < processes; ++n) {
    int const rank = n / 3 * slots + 1 + n % 3;
    auto worker = begin(job, rank);
    for (int i = 0; i < 4; ++i)  // more than the ring holds
      CHECK(worker->keep(Rank{0}, message(rank, 0, text.size()), bytes_of_text(text)));
    send(*master, 0, rank, text);
    auto const offer = worker->expose(TransferId{1}, bytes_of_text(text));
    CHECK(worker->copy_exposed(offer));
    end(job, worker, rank);
    look(*master, log);
    log.packets.clear();
    REQUIRE(job.exec().release(Rank{rank}));
    if (n == 100) early = bytes_used(segment);
  }
  CHECK(log.ended.size() == processes);
  CHECK(bytes_used(segment) <= early + 64 * 1024);
}

TEST_CASE("a process that has not looked for longer than the list of ends reaches misses no end") {
  Job job{2, slots};
  auto master = begin(job, 0);
  auto sleeper = begin(job, 1);
  Log log;
  auto friend_of_both = begin(job, 2);
  send(*friend_of_both, 2, 1, "for the sleeper");
  end(job, friend_of_both, 2);
  for (int n = 0; n < 3 * slots; ++n) {
    int const rank = 3 + n * slots;
    auto worker = begin(job, rank);
    send(*worker, rank, 0, "for the master");
    end(job, worker, rank);
    look(*master, log);
    REQUIRE(job.exec().release(Rank{rank}));
  }
  Log late;
  look(*sleeper, late);
  CHECK(late.ended == std::vector<Rank>{Rank{2}});
  CHECK(job.exec().release(Rank{2}));
}
