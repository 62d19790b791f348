// SPDX-License-Identifier: BSD-3-Clause
/// No process sleeps through a packet, through room, through a control notice or a death.
#include <sched.h>
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <thread>

#include "generic/base/error.hpp"
#include "generic/system/processors.hpp"
#include "tests/backends/shm/harness.hpp"
#include "tests/sanitized.hpp"

using namespace earl;
using namespace earl::shm::test;
using shm::PortSettings;

namespace {

PortSettings waiting(char const* how) { return {.wait = {.wait = how}}; }

void receive_one(shm::ShmPort& port) {
  Log log;
  run_until(port, log, [&] { return !log.packets.empty(); });
}

/// A token goes round `rounds` times. Between hops each process dawdles in its own way, so that
/// packets arrive at every instant of going to sleep.
void pass_token(int processes, int rounds, PortSettings const& settings) {
  Job job{static_cast<std::uint32_t>(processes)};
  for (int rank = 0; rank < processes; ++rank)
    job.start(
        rank,
        [=](shm::ShmPort& port) {
          Log log;
          for (int round = 0; round < rounds; ++round) {
            if (rank == 0) put(port, 1 % processes, message(0, round, 0), {});
            run_until(port, log, [&] { return !log.packets.empty(); });
            EARL_REQUIRE(log.packets.size() == 1 && log.packets[0].header.tag == round);
            log.packets.clear();
            for (int i = 0; i < (round * 7 + rank) % 5; ++i) ::sched_yield();
            if (rank != 0) put(port, (rank + 1) % processes, message(rank, round, 0), {});
          }
        },
        settings);
  for (int rank = 0; rank < processes; ++rank) CHECK(job.wait_for(rank) == 0);
}

}  // namespace

TEST_CASE("no wake-up is lost between two processes that sleep at once") {
  pass_token(2, 20'000, waiting("block"));
}

TEST_CASE("no wake-up is lost between four processes that sleep at once") {
  pass_token(4, 5'000, waiting("block"));
}

TEST_CASE("tokens go round in each way of waiting") {
  // Few rounds: on one CPU, each hop of a process that only spins takes a time slice.
  char const* const how = GENERATE("auto", "spin", "yield", "block");
  CAPTURE(how);
  pass_token(2, 40, waiting(how));
}

TEST_CASE(
    "a crowd on one CPU passes a token, and does not run through all processes for each hop") {
  // A yield that runs others, and a time slice that ends, are switches that a process did not ask
  // for; a sleep is one that it did. Yielding until the token is back takes dozens a round.
  constexpr int processes = 64;
  constexpr int rounds = testing::times(100, 20);
  constexpr long most_a_round = 10;
  cpu_set_t all;
  REQUIRE(::sched_getaffinity(0, sizeof all, &all) == 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
  REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
  Job job{processes};
  for (int rank = 0; rank < processes; ++rank)
    job.start(rank, [rank](shm::ShmPort& port) {
      Log log;
      auto const take = [&] {
        run_until(port, log, [&] { return !log.packets.empty(); });
        log.packets.clear();
      };
      auto const go_round = [&](int count) {
        for (int round = 0; round < count; ++round) {
          if (rank != 0) take();
          put(port, (rank + 1) % processes, message(rank, round, 0), {});
          if (rank == 0) take();
        }
      };
      auto const switches = [] {
        rusage used{};
        ::getrusage(RUSAGE_SELF, &used);
        return used.ru_nivcsw;
      };
      go_round(10);
      auto const before = switches();
      go_round(rounds);
      EARL_REQUIRE(switches() - before <= rounds * most_a_round);
    });
  for (int rank = 0; rank < processes; ++rank) CHECK(job.wait_for(rank) == 0);
  REQUIRE(::sched_setaffinity(0, sizeof all, &all) == 0);
}

TEST_CASE("the processes that are awake are counted, and those that have ended are not") {
  Job job{2};
  auto memory = job.segment();
  auto const awake = [&] {
    std::int32_t sum = 0;
    for (auto& cpu : memory.head().awake.cpus) sum += cpu.awake;
    return sum;
  };
  job.start(
      0, [](shm::ShmPort& port) { port.wait(never); }, waiting("spin"));
  job.start(
      1,
      [](shm::ShmPort& port) {
        Log log;
        run_until(port, log, [&] { return log.control_notices == 1; });
      },
      waiting("block"));
  while (awake() != 1) ::sched_yield();
  job.kill(0);
  CHECK(job.wait_for(0) == 128 + SIGKILL);
  job.exec().notify_control(Rank{1});
  CHECK(job.wait_for(1) == 0);
  CHECK(awake() == 0);
}

TEST_CASE("eight processes on any number of CPUs pass a token") { pass_token(8, 1'000, {}); }

TEST_CASE("a ring unused for long is not polled, until it is used") {
  Job job{2};
  auto from = job.port(0);
  auto to = job.port(1);
  auto memory = job.segment();
  const shm::RankSet active{memory, memory.layout().active_set(Rank{1})};
  Log log;
  for (int round = 0; round < 3; ++round) {
    REQUIRE(from->put(Rank{1}, message(0, round, 0), Gather{}));
    CHECK(active.has(Rank{0}));
    CHECK(to->poll(log) == 1);
    for (int polls = 0; polls < 5'000; ++polls) to->poll(log);
    CHECK_FALSE(active.has(Rank{0}));
  }
}

TEST_CASE("no packet is lost to a receiver that stops looking at its ring") {
  Job job{2};
  constexpr int rounds = 3'000;
  auto body = [](int me) {
    return [me](shm::ShmPort& port) {
      Log log;
      for (int round = 0; round < rounds; ++round) {
        if (me == 0) put(port, 1, message(0, round, 0), {});
        // Stops looking about when the answer comes, a little earlier or later each time.
        for (int polls = 0; polls < 4'000 + round % 200 && log.packets.empty(); ++polls)
          port.poll(log);
        run_until(port, log, [&] { return !log.packets.empty(); });
        log.packets.clear();
        if (me == 1) put(port, 0, message(1, round, 0), {});
      }
    };
  };
  job.start(0, body(0), waiting("block"));
  job.start(1, body(1), waiting("block"));
  CHECK(job.wait_for(0) == 0);
  CHECK(job.wait_for(1) == 0);
}

TEST_CASE("a sender without room is woken when there is some") {
  Job job{2};
  constexpr int count = 20'000;
  char const* const how = GENERATE("auto", "block");
  job.start(
      0,
      [](shm::ShmPort& port) {
        for (int i = 0; i < count; ++i) put(port, 1, message(0, i, 100), pattern(0, i, 100));
      },
      waiting(how));
  job.start(
      1,
      [](shm::ShmPort& port) {
        Log log;
        int next = 0;
        run_until(port, log, [&] {
          for (auto const& packet : log.packets) EARL_REQUIRE(packet.header.tag == next++);
          log.packets.clear();
          if (next % 1'000 == 0) ::sched_yield();
          return next == count;
        });
      },
      waiting(how));
  CHECK(job.wait_for(0) == 0);
  CHECK(job.wait_for(1) == 0);
}

TEST_CASE("a sender behind kept packets is woken when they have been taken") {
  Job job{2};
  job.start(
      0,
      [](shm::ShmPort& port) {
        for (int i = 0; i < 5'000; ++i)
          if (i % 500 < 100)
            EARL_REQUIRE(port.keep(Rank{1}, message(0, i, 200), bytes_of_text(pattern(0, i, 200))));
          else
            put(port, 1, message(0, i, 200), pattern(0, i, 200));
      },
      waiting("block"));
  job.start(
      1,
      [](shm::ShmPort& port) {
        Log log;
        run_until(port, log, [&] { return log.packets.size() == 5'000; });
        for (int i = 0; i < 5'000; ++i)
          EARL_REQUIRE(log.packets[static_cast<std::size_t>(i)].header.tag == i);
      },
      waiting("block"));
  CHECK(job.wait_for(0) == 0);
  CHECK(job.wait_for(1) == 0);
}

TEST_CASE("a waiting sender is notified of the death of its receiver") {
  Job job{2};
  job.start(
      0,
      [](shm::ShmPort& port) {
        for (int i = 0; i < 1'000; ++i) put(port, 1, message(0, i, 100), pattern(0, i, 100));
        EARL_REQUIRE(port.ended(Rank{1}));
        EARL_REQUIRE(port.lost() > 0);
        Log log;
        run_until(port, log, [&] { return !log.ended.empty(); });
        EARL_REQUIRE(log.ended.front() == Rank{1});
      },
      waiting("block"));
  // The end of a process before the first packet to it is not reported.
  job.start(1, receive_one);
  CHECK(job.wait_for(1) == 0);
  CHECK(job.wait_for(0) == 0);
}

TEST_CASE("a process that waits for an answer to its offer is notified that there will be none") {
  Job job{2};
  job.start(
      0,
      [](shm::ShmPort& port) {
        Log log;
        const Offer offer{};
        const Header header = header_of(Kind::offer, {.source = Rank{0}, .length = 1 << 20});
        EARL_REQUIRE(port.put(Rank{1}, header, bytes_of(offer)));
        run_until(port, log, [&] { return !log.ended.empty(); });
      },
      waiting("block"));
  job.start(1, receive_one);
  CHECK(job.wait_for(1) == 0);
  CHECK(job.wait_for(0) == 0);
}

TEST_CASE("EXEC's control notice is observed, awake or asleep") {
  Job job{1};
  job.start(
      0,
      [](shm::ShmPort& port) {
        Log log;
        run_until(port, log, [&] { return log.control_notices == 1; });
      },
      waiting("block"));
  job.exec().notify_control(Rank{0});
  CHECK(job.wait_for(0) == 0);

  Job quiet{1};
  auto port = quiet.port(0);
  Log log;
  CHECK(port->poll(log) == 0);
  quiet.exec().notify_control(Rank{0});
  quiet.exec().notify_control(Rank{0});
  CHECK(port->poll(log) == 1);
  CHECK(port->poll(log) == 0);
}

TEST_CASE("wake() ends this wait or the next, from any thread") {
  Job job{1};
  auto port = job.port(0, waiting("block"));
  port->wake();
  port->wait(never);
  std::thread other{[&] { port->wake(); }};
  port->wait(never);
  other.join();
}

TEST_CASE("wait() ends at its deadline") {
  Job job{1};
  char const* const how = GENERATE("auto", "spin", "yield", "block");
  auto port = job.port(0, waiting(how));
  auto const deadline = Clock::now() + std::chrono::milliseconds{5};
  while (Clock::now() < deadline) port->wait(deadline);
  port->wait(Deadline{});
  CHECK(Clock::now() >= deadline);
}

TEST_CASE("a death is reported once, after all packets of the dead process") {
  Job job{3};
  job.start(0, [](shm::ShmPort& port) {
    for (int i = 0; i < 100; ++i) put(port, 2, message(0, i, 8), pattern(0, i, 8));
  });
  job.start(1, [](shm::ShmPort&) {});
  CHECK(job.wait_for(0) == 0);
  CHECK(job.wait_for(1) == 0);
  auto port = job.port(2);
  Log log;
  while (port->poll(log) != 0) continue;
  CHECK(log.packets.size() == 100);
  REQUIRE(log.ended == std::vector<Rank>{Rank{0}});  // 1 has had no contact with this process
  CHECK(log.packets_before_end[0] == 100);
  CHECK(port->ended(Rank{0}));
  CHECK(port->ended(Rank{1}));
  CHECK_FALSE(port->ended(Rank{2}));
}

TEST_CASE("packets to the dead are counted and dropped") {
  Job job{2};
  auto port = job.port(0);
  job.exec().ended(Rank{1});
  CHECK(port->put(Rank{1}, message(0, 0, 4), bytes_of_text("gone")));
  CHECK(port->keep(Rank{1}, message(0, 0, 4), bytes_of_text("gone")));
  CHECK(port->lost() == 2);
}

TEST_CASE("a process that has ended is reported as ended to later senders, each time") {
  Job job{2};
  auto port = job.port(0);
  job.exec().ended(Rank{1});
  Log log;
  while (port->poll(log) != 0) continue;
  CHECK(log.ended.empty());
  // Nothing is kept of it in between: its slot may be another's.
  for (std::size_t i = 1; i < 3; ++i) {
    CHECK(port->put(Rank{1}, message(0, 0, 4), bytes_of_text("gone")));
    CHECK(port->put(Rank{1}, message(0, 0, 4), bytes_of_text("gone")));
    while (port->poll(log) != 0) continue;
    CHECK(log.ended == std::vector<Rank>(i, Rank{1}));
  }
}

TEST_CASE("invalid settings are refused, with the valid ones") {
  CHECK_THROWS_WITH(WaitPolicy::from({.wait = "fast"}, 2),
                    "EARL_WAIT is \"fast\"; it can be auto, spin, yield or block");
  for (char const* text : {"", "-1", "12us", "1000001", "99999999999999999999"}) {
    CHECK_THROWS_AS(WaitPolicy::from({.spin_us = text}, 2), Error);
    CHECK_THROWS_AS(WaitPolicy::from({.yields = text}, 2), Error);
  }
  auto const policy = WaitPolicy::from({.wait = "auto", .spin_us = "7", .yields = "3"}, 1);
  CHECK(policy.spin == std::chrono::microseconds{7});
  CHECK(policy.yields == 3);
  CHECK(policy.cpus == 1);
}

TEST_CASE("a process that is pinned to one CPU is not for that short of them") {
  Job job{2};
  const std::uint32_t cpus = job.segment().head().cpus;
  CHECK(cpus == usable_processors());
  job.start(0, [cpus](shm::ShmPort&) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
    EARL_REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
    EARL_REQUIRE(usable_processors() == 1);
    // A port that joined here is notified all the same.
    Job other{1};
    EARL_REQUIRE(other.segment().head().cpus == 1 && cpus >= 1);
  });
  CHECK(job.wait_for(0) == 0);
  CHECK(job.segment().head().cpus == cpus);
}

TEST_CASE("no process spins when processes outnumber CPUs") {
  WaitPolicy policy;
  policy.cpus = 2;
  CHECK(policy.may_spin(2));
  CHECK_FALSE(policy.may_spin(3));
  policy.kind = WaitPolicy::Kind::spin;
  CHECK(policy.may_spin(3));
  policy.kind = WaitPolicy::Kind::block;
  CHECK_FALSE(policy.may_spin(1));
}

TEST_CASE("the processes that compete for CPUs are counted") {
  Job job{2, 10};
  auto segment = job.segment();
  auto& head = segment.head();
  CHECK(head.processes == 2);
  job.exec().registered(Rank{0}, 1);
  job.exec().registered(Rank{5}, 1);
  CHECK(head.processes == 3);
  job.exec().ended(Rank{5});
  job.exec().ended(Rank{1});
  job.exec().ended(Rank{1});
  job.exec().ended(Rank{7});
  CHECK(head.processes == 1);
}
