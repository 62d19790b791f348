// SPDX-License-Identifier: BSD-3-Clause
/// Packets arrive in order, at any size, wherever they are kept meanwhile.
#include <signal.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "tests/backends/shm/harness.hpp"
#include "tests/sanitized.hpp"

using namespace earl;
using namespace earl::shm::test;

namespace {

/// The n-th packet is here, whole and in its turn.
void check_packet(Packet const& packet, int source, int number, std::size_t size) {
  EARL_REQUIRE(packet.header.tag == number);
  EARL_REQUIRE(packet.bytes == pattern(source, number, size));
}

std::size_t size_of(int number) {
  return static_cast<std::size_t>(number) * 37 % (shm::largest_payload + 1);
}

}  // namespace

TEST_CASE("packets of every size arrive in order through a ring that wraps") {
  Job job{2};
  constexpr int most = static_cast<int>(shm::largest_payload);
  job.start(0, [](shm::ShmPort& port) {
    for (int size = 0; size <= most; ++size)
      put(port, 1, message(0, size, static_cast<std::size_t>(size)),
          pattern(0, size, static_cast<std::size_t>(size)));
  });
  job.start(1, [](shm::ShmPort& port) {
    Log log;
    int next = 0;
    run_until(port, log, [&] {
      for (auto const& packet : log.packets) {
        check_packet(packet, 0, next, static_cast<std::size_t>(next));
        ++next;
      }
      log.packets.clear();
      return next > most;
    });
  });
  CHECK(job.wait_for(0) == 0);
  CHECK(job.wait_for(1) == 0);
}

TEST_CASE("a payload that ends in an old commit word is no packet in the ring's next turn") {
  Job job{2};
  auto from = job.port(0);
  auto to = job.port(1);
  auto const key = job.segment().key();
  constexpr int turn = shm::ring_units;
  constexpr std::size_t inside_unit = sizeof shm::Record::payload;
  int sent = 0;
  auto pass_on = [&](std::string const& payload) {
    Log log;
    REQUIRE(from->put(Rank{1}, message(0, sent, payload.size()), bytes_of_text(payload)));
    to->poll(log);
    to->poll(log);
    REQUIRE(log.packets.size() == 1);
    CHECK(log.packets[0].header.tag == sent);
    CHECK(log.packets[0].bytes == payload);
    ++sent;
  };
  const std::string small(8, 's');
  for (int i = 0; i < turn; ++i) pass_on(small);

  // Over the first two units. Its last bytes are those that come first, in memory, of the commit
  // word of a small packet in the second unit, one turn later.
  auto const commit = shm::commit_at(key, 2 * turn + 1) | small.size();
  constexpr std::size_t half = sizeof commit / 2;
  std::string payload(inside_unit + half, 'p');
  std::memcpy(payload.data() + inside_unit, &commit, half);
  pass_on(payload);
  while (sent < 2 * turn - 1) pass_on(small);

  // The receiver looks at the second unit before its packet comes.
  pass_on(small);
  pass_on(small);
}

TEST_CASE("a gather list arrives as one packet") {
  Job job{2};
  auto from = job.port(0);
  auto to = job.port(1);
  const std::string a = "one, ", b, c = "two";
  const Bytes parts[] = {bytes_of_text(a), bytes_of_text(b), bytes_of_text(c)};
  REQUIRE(from->put(Rank{1}, message(0, 1, 8), Gather{std::span<const Bytes>{parts}}));
  Log log;
  to->poll(log);
  REQUIRE(log.packets.size() == 1);
  CHECK(log.packets[0].bytes == "one, two");
}

TEST_CASE("ten thousand packets are kept for a process that does not look, and outlive theirs") {
  Job job{2};
  constexpr int count = 10'000;
  job.start(0, [](shm::ShmPort& port) {
    for (int i = 0; i < count; ++i)
      EARL_REQUIRE(
          port.keep(Rank{1}, message(0, i, size_of(i)), bytes_of_text(pattern(0, i, size_of(i)))));
  });
  REQUIRE(job.wait_for(0) == 0);

  auto port = job.port(1);
  Log log;
  run_until(*port, log, [&] { return !log.ended.empty(); });
  REQUIRE(log.packets.size() == count);
  for (int i = 0; i < count; ++i)
    check_packet(log.packets[static_cast<std::size_t>(i)], 0, i, size_of(i));
  CHECK(log.packets_before_end.front() == count);
}

TEST_CASE("kept packets and the ring's take their turns") {
  Job job{2};
  auto from = job.port(0);
  auto to = job.port(1);
  Log log;
  int sent = 0;
  auto room = [&] {
    const auto size = size_of(sent);
    return from->put(Rank{1}, message(0, sent, size), bytes_of_text(pattern(0, sent, size)));
  };
  for (int round = 0; round < 300; ++round) {
    while (room()) ++sent;
    for (int i = 0; i < round % 4; ++i, ++sent)
      REQUIRE(from->keep(Rank{1}, message(0, sent, size_of(sent)),
                         bytes_of_text(pattern(0, sent, size_of(sent)))));
    if (round % 4 != 0) CHECK_FALSE(room());  // nothing overtakes kept packets
    for (int i = 0; i <= round % 3; ++i) to->poll(log);
  }
  while (to->poll(log) != 0) continue;
  REQUIRE(log.packets.size() == static_cast<std::size_t>(sent));
  for (int i = 0; i < sent; ++i)
    check_packet(log.packets[static_cast<std::size_t>(i)], 0, i, size_of(i));
}

TEST_CASE("a kept packet may be larger than a window of memory") {
  Job job{2};
  const std::string large = pattern(0, 5, 70 << 20);
  auto from = job.port(0);
  REQUIRE(from->keep(Rank{1}, message(0, 5, large.size()), bytes_of_text(large)));
  REQUIRE(from->keep(Rank{1}, message(0, 6, 4), bytes_of_text("last")));
  from.reset();
  auto to = job.port(1);
  Log log;
  while (to->poll(log) != 0) continue;
  REQUIRE(log.packets.size() == 2);
  CHECK(log.packets[0].bytes == large);
  CHECK(log.packets[1].bytes == "last");
}

TEST_CASE("a sender that is killed at any instant leaves the beginning of its packets") {
  for (int trial = 0; trial < testing::times(40, 10); ++trial) {
    Job job{2};
    job.start(0, [](shm::ShmPort& port) {
      for (int i = 0;; ++i)
        if (const auto size = size_of(i); i % 7 == 0)
          EARL_REQUIRE(port.keep(Rank{1}, message(0, i, size), bytes_of_text(pattern(0, i, size))));
        else
          put(port, 1, message(0, i, size), pattern(0, i, size));
    });
    auto port = job.port(1);
    Log log;
    auto const enough = static_cast<std::size_t>(trial * 13);
    run_until(*port, log, [&] { return log.packets.size() >= enough; });
    job.kill(0);
    CHECK(job.wait_for(0) == 128 + SIGKILL);
    while (port->poll(log) != 0) continue;
    for (std::size_t i = 0; i < log.packets.size(); ++i)
      check_packet(log.packets[i], 0, static_cast<int>(i), size_of(static_cast<int>(i)));
    if (!log.packets.empty()) CHECK(log.packets_before_end == std::vector{log.packets.size()});
  }
}

TEST_CASE("sixty-four processes, each to each") {
  constexpr int processes = 64;
  constexpr int each = testing::times(50, 10);
  Job job{processes};
  auto body = [](int me) {
    return [me](shm::ShmPort& port) {
      Log log;
      for (int i = 0; i < each; ++i)
        for (int step = 1; step < processes; ++step) {
          const int to = (me + step) % processes;
          while (!port.put(Rank{to}, message(me, i, 8), bytes_of_text(pattern(me, i, 8))))
            if (port.poll(log) == 0) port.wait(never);
        }
      run_until(port, log, [&] { return log.packets.size() == each * (processes - 1); });
      std::vector<int> next(processes, 0);
      for (auto const& packet : log.packets) {
        const int from = packet.header.source;
        check_packet(packet, from, next[static_cast<std::size_t>(from)]++, 8);
      }
    };
  };
  for (int rank = 0; rank < processes; ++rank) job.start(rank, body(rank));
  for (int rank = 0; rank < processes; ++rank) CHECK(job.wait_for(rank) == 0);
}

TEST_CASE("ranks far apart meet in a job of the largest size") {
  Job job{1, shm::most_processes};
  auto first = job.port(0);
  auto last = job.port(65'535);
  auto middle = job.port(40'000);
  Log log;
  REQUIRE(first->put(Rank{65'535}, message(0, 1, 0), Gather{}));
  REQUIRE(middle->put(Rank{65'535}, message(40'000, 2, 0), Gather{}));
  while (last->poll(log) != 0) continue;
  REQUIRE(log.packets.size() == 2);
  REQUIRE(last->put(Rank{0}, message(65'535, 3, 0), Gather{}));
  CHECK(first->poll(log) == 1);
}
