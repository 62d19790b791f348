// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/id_table.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <thread>

#include "generic/base/error.hpp"

namespace earl {

namespace {

template <std::size_t N>
std::string_view text_of(char const (&field)[N]) {
  return {field, ::strnlen(field, N)};
}

/// Until `done()`, or for so long that it is never done.
template <class Done>
void sleep_until_done(Done const& done) {
  constexpr auto life_wait = std::chrono::seconds{10};
  constexpr auto moment = std::chrono::microseconds{50};
  auto const deadline = Clock::now() + life_wait;
  while (!done() && Clock::now() < deadline) std::this_thread::sleep_for(moment);
}

}  // namespace

IdTable::IdTable(Bytes memory) {
  if (memory.size() < id_rows_at) throw Error("the id table is cut: {} bytes", memory.size());
  auto const* head = reinterpret_cast<IdHead const*>(memory.data());
  if (head->magic != id_table_magic || head->version != id_table_version)
    throw Error("what EXEC handed over is no id table of this version of Earl");
  if (memory.size() < id_table_bytes(head->capacity))
    throw Error("the id table is cut: {} bytes for {} rows", memory.size(), head->capacity);
  if (!std::has_single_bit(head->capacity))
    throw Error("the id table is damaged: it has {} rows", head->capacity);
  head_ = head;
  rows_ = reinterpret_cast<IdRow const*>(memory.data() + id_rows_at);
  if (memory.size() >= job_table_bytes(head->capacity))
    hosts_ = reinterpret_cast<NamedHost const*>(memory.data() + id_table_bytes(head->capacity));
}

// EXEC writes to the table while this process reads it.

IdRow const* IdTable::await(Rank rank) const {
  bool const comes = head_ && number(rank) >= 0 && number(rank) < most_ranks_ever;
  sleep_until_done([&] { return !comes || given(rank); });
  return find(rank);
}

bool IdTable::exists(Rank rank, Rank me) const {
  if (given(rank)) return true;
  auto const* const own = find(me);
  bool elsewhere = false;  // data that come from this host's processes are not ahead of its table
  each([&](Rank, IdRow const& row) { elsewhere = elsewhere || (own && row.host != own->host); });
  return elsewhere && (await(rank) || given(rank));
}

std::int32_t IdTable::await_unix_pid(Rank rank) const {
  if (!await(rank)) return 0;
  // Until then it may be that of a wrapper, which the process is a child of.
  sleep_until_done([&] { return state(rank) >= RankState::registered; });
  auto const* const row = find(rank);
  return row ? row->unix_pid.load() : 0;
}

Rank IdTable::named(std::uint32_t short_name) const {
  auto const low = short_name % most_ranks;
  auto const turn = short_name / most_ranks;
  if (!head_ || count() <= most_ranks) return id_after(Rank{static_cast<std::int32_t>(low)}, turn);
  auto const& row = rows_[low & (head_->capacity - 1)];
  auto const there = static_cast<std::uint32_t>(row.rank.load(std::memory_order_acquire));
  if (there % most_ranks == low)
    return id_after(Rank{static_cast<std::int32_t>(there)}, (turn - there / most_ranks) % 4);
  auto const last = count() - 1;
  auto const ago = (last - short_name) % short_names;
  return Rank{static_cast<std::int32_t>(ago > last ? short_name : last - ago)};
}

std::string_view front_end_of(IdRow const& row) {
  // C++20's std::atomic_ref takes no const memory.
  bool const known = __atomic_load_n(row.front_end, __ATOMIC_ACQUIRE) != '\0';
  return known ? text_of(row.front_end) : std::string_view{};
}

void set_front_end(IdRow& row, std::string_view name) {
  auto const length = std::min(name.size(), sizeof row.front_end - 1);
  const std::atomic_ref first(row.front_end[0]);
  first.store('\0', std::memory_order_relaxed);
  std::memset(row.front_end + 1, 0, sizeof row.front_end - 1);
  if (length == 0) return;
  name.substr(1, length - 1).copy(row.front_end + 1, length - 1);
  first.store(name[0], std::memory_order_release);
}

std::string_view program_of(IdRow const& row) { return text_of(row.program); }

}  // namespace earl
