// SPDX-License-Identifier: BSD-3-Clause
#include "generic/collectives/group_memory.hpp"

#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <thread>

#include "tests/generic/network.hpp"

using namespace earl;
using namespace earl::test;

namespace {

Traits const processes{.one_address_space = false};

Group all_of(AllRanks const& all, Process& me) {
  return {
      .members = all.ranks, .me = index(me.rank()), .context = context_of(Space::collective, 40)};
}

std::size_t open_descriptors() {
  using Entries = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(Entries{"/proc/self/fd"}, Entries{}));
}

/// Each member writes its own place and reads all.
void write_and_read(Traits const& traits) {
  Network network(3, traits);
  AllRanks const all(3);
  network.run([&](Process& me) {
    auto const group = all_of(all, me);
    auto const memory = share_memory(me, group, 100'000);
    CHECK(memory.get()[99'999] == std::byte{0});
    memory.get()[group.me * 10'000] = std::byte(group.me + 1);
    barrier(me, group);
    for (std::size_t member = 0; member < 3; ++member)
      CHECK(memory.get()[member * 10'000] == std::byte(member + 1));
    barrier(me, group);
  });
}

}  // namespace

TEST_CASE("members in one address space share memory of the port") { write_and_read(Traits{}); }

TEST_CASE("members that are processes map one memory, and keep no descriptor of it") {
  auto const before = open_descriptors();
  write_and_read(processes);
  CHECK(open_descriptors() == before);
}

TEST_CASE("memory is found when EXEC registers its owner only after messages of it have come") {
  std::int32_t const unknown = 0;
  auto const wrapper = ::getppid();
  auto const pid_before = GENERATE_COPY(unknown, wrapper);
  Network network(2, processes);
  network.set_unix_pid(0, pid_before, RankState::started);
  AllRanks const all(2);
  std::atomic<bool> ready = false;
  std::thread exec([&] {
    while (!ready) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds{5});  // the other member looks meanwhile
    network.set_unix_pid(0, ::getpid(), RankState::registered);
  });
  network.run([&](Process& me) {
    ready = true;
    CHECK_NOTHROW(share_memory(me, all_of(all, me), 10));
  });
  exec.join();
}

TEST_CASE("a group that shares memory again has other memory, once the first is given back") {
  Network network(2, processes);
  AllRanks const all(2);
  network.run([&](Process& me) {
    for (int round = 0; round < 3; ++round) {
      auto const memory = share_memory(me, all_of(all, me), 10);
      CHECK(memory.get()[3] == std::byte{0});
      barrier(me, all_of(all, me));
      memory.get()[3] = std::byte{1};
      barrier(me, all_of(all, me));
    }
  });
}

TEST_CASE("members on several hosts share nothing, and each of them gets the error") {
  Network network(3, processes);
  network.move_away(2);
  AllRanks const all(3);
  std::size_t refused = 0;
  network.run([&](Process& me) {
    CHECK_THROWS_WITH(share_memory(me, all_of(all, me), 10),
                      Catch::Contains("processes 0 and 2 are not on one host"));
    ++refused;
  });
  CHECK(refused == 3);
}

TEST_CASE("memory that the system refuses is an error in all members") {
  Network network(2, processes);
  AllRanks const all(2);
  std::size_t refused = 0;
  network.run([&](Process& me) {
    CHECK_THROWS_AS(share_memory(me, all_of(all, me), std::size_t{1} << 62), Error);
    ++refused;
  });
  CHECK(refused == 2);
}

TEST_CASE("a group of one has memory of its own") {
  Network network(1, processes);
  AllRanks const all(1);
  network.run(
      [&](Process& me) { CHECK(share_memory(me, all_of(all, me), 10).get()[9] == std::byte{0}); });
}
