// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's id table, its copy as an agent has it, and processes that read both, each a thread, for
/// ThreadSanitizer. Exit code 0: all rows that were found were whole.
#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "exec/launcher/roster/roster.hpp"
#include "generic/base/error.hpp"
#include "generic/base/id_table.hpp"

using namespace earl;
using namespace earl::exec;

namespace {

constexpr std::uint32_t ranks = 100;
constexpr int readers = 4;
constexpr auto front_end = "pvm3";
constexpr std::int32_t first_pid = 1'000;

std::string program_name(Rank rank) { return "program-" + std::to_string(number(rank)); }

/// A process's view of it, at EXEC's addresses: ThreadSanitizer knows memory by its address.
IdTable table_of(Roster const& roster) {
  auto const* const memory = reinterpret_cast<std::byte const*>(&roster.at(Rank{0})) - id_rows_at;
  return IdTable{{memory, job_table_bytes(roster.capacity())}};
}

void check(IdTable const& table, Rank rank) {
  auto const* const row = table.find(rank);
  if (!row) return;
  auto const pid = row->unix_pid.load();
  auto const name = front_end_of(*row);
  EARL_CHECK(program_of(*row) == program_name(rank) && row->parent == number(rank) - 1,
             "rank {} is {} of {}", number(rank), program_of(*row), row->parent);
  EARL_CHECK(pid == 0 || pid == first_pid + number(rank), "rank {} has pid {}", number(rank), pid);
  EARL_CHECK(name.empty() || name == front_end, "rank {} has front end '{}'", number(rank), name);
}

/// How often each reader has looked at all rows. Relaxed: only the table may order what they see.
std::atomic<int> looks[readers];

/// Until all have ended.
void read(Roster const& roster, std::atomic<int>& looked) {
  auto const table = table_of(roster);
  while (table.state(Rank{ranks - 1}) != RankState::ended) {
    for (std::uint32_t n = 0; n < table.count(); ++n) check(table, Rank{static_cast<int>(n)});
    looked.fetch_add(1, std::memory_order_relaxed);
    std::this_thread::yield();
  }
  std::uint32_t seen = 0;
  table.each([&](Rank, IdRow const& row) { seen += front_end_of(row) == front_end ? 1U : 0U; });
  EARL_CHECK(seen == ranks, "{} rows are whole in the end", seen);
}

/// Until each reader has begun and ended a look at all rows.
void be_read() {
  for (auto const& looked : looks)
    for (int const before = looked.load(std::memory_order_relaxed);
         looked.load(std::memory_order_relaxed) < before + 2;)
      std::this_thread::yield();
}

void live(Roster& roster, Rank rank) {
  roster.set_state(rank, RankState::started);
  be_read();
  roster.set_pid(rank, first_pid + number(rank));
  roster.learn_front_end(rank, front_end);
  be_read();
  roster.set_state(rank, RankState::registered);
  roster.set_role(rank, Role::host);
  roster.set_state(rank, RankState::ended);
}

void write(Roster& roster) {
  for (std::uint32_t n = 0; n < ranks; ++n) {
    const Rank rank{static_cast<std::int32_t>(n)};
    auto const name = program_name(rank);
    roster.add({.program = name, .parent = Rank{number(rank) - 1}}, rank);
    live(roster, rank);
  }
}

}  // namespace

int main() {
  Roster roster{ranks};
  Roster copy{ranks};
  roster.watch([&](std::uint32_t at, Bytes bytes) { copy.copy_in(at, bytes); });
  std::vector<std::thread> threads;
  for (int n = 0; n < readers; ++n)
    threads.emplace_back([&table = n % 2 == 0 ? roster : copy, n] { read(table, looks[n]); });
  write(roster);
  for (auto& thread : threads) thread.join();
  std::puts("all rows were whole");
  return 0;
}
