// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/awake.hpp"

#include <sched.h>

#include <algorithm>

namespace earl {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// A yield among processes of the job takes some microseconds, one beside a program that computes
/// a time slice of 3 or 4 ms.
constexpr nanoseconds long_yield = std::chrono::microseconds{500};
/// One long yield may be an accident: two close together are not.
constexpr std::int32_t slow_yield_weight = 4;
constexpr std::int32_t slow_yield_limit = 6;
constexpr nanoseconds first_ban = milliseconds{25};
constexpr nanoseconds longest_ban = milliseconds{500};

std::int64_t count_of(Deadline time) {
  return std::chrono::duration_cast<nanoseconds>(time.time_since_epoch()).count();
}

/// A word that says more than there can be is damaged.
bool is_yield_disabled(AwakeTable::Cpu const& cpu, Deadline now) {
  auto const until = cpu.yield_disabled_until.load(std::memory_order_relaxed);
  auto const time = count_of(now);
  return until > time && until <= time + longest_ban.count();
}

/// Longer than the last when that has not been over for long.
void ban(AwakeTable::Cpu& cpu, Deadline now) {
  auto const last =
      std::clamp<std::int64_t>(cpu.ban.load(std::memory_order_relaxed), 0, longest_ban.count());
  auto const until = cpu.yield_disabled_until.load(std::memory_order_relaxed);
  auto const time = count_of(now);
  bool const again = last != 0 && until <= time && time - until < last;
  auto const length =
      again ? std::min(2 * last, longest_ban.count()) : nanoseconds{first_ban}.count();
  cpu.ban.store(length, std::memory_order_relaxed);
  cpu.yield_disabled_until.store(time + length, std::memory_order_relaxed);
  cpu.slow_yield_score.store(0, std::memory_order_relaxed);
}

}  // namespace

void AwakeTable::remove(std::atomic<std::uint32_t>& word) {
  auto const row = word.exchange(0, std::memory_order_relaxed);
  if (row != 0) at(row - 1).awake.fetch_sub(1, std::memory_order_relaxed);
}

CpuState AwakeEntry::observe(Deadline now) {
  if (!table_) return {};
  int const cpu = ::sched_getcpu();
  return look_at(cpu < 0 ? 0 : static_cast<std::uint32_t>(cpu), now);
}

CpuState AwakeEntry::look_at(std::uint32_t cpu, Deadline now) {
  if (!table_) return {};
  auto const row = static_cast<std::uint32_t>(cpu % AwakeTable::rows) + 1;
  if (row != row_) [[unlikely]]
    count_in(row);
  auto& here = table_->at(row - 1);
  return {.awake = std::max(1, here.awake.load(std::memory_order_relaxed)),
          .yield_disabled = is_yield_disabled(here, now)};
}

/// The word first: EXEC undoes the effect of the word.
void AwakeEntry::count_in(std::uint32_t row) {
  leave();
  word_->store(row, std::memory_order_relaxed);
  table_->at(row - 1).awake.fetch_add(1, std::memory_order_relaxed);
  row_ = row;
}

void AwakeEntry::leave() {
  if (row_ == 0) return;
  table_->at(row_ - 1).awake.fetch_sub(1, std::memory_order_relaxed);
  word_->store(0, std::memory_order_relaxed);
  row_ = 0;
}

void AwakeEntry::judge_yield(Deadline begin, Deadline end) {
  if (row_ == 0) return;
  auto& cpu = table_->at(row_ - 1);
  auto const before = cpu.slow_yield_score.load(std::memory_order_relaxed);
  if (end - begin <= long_yield) {
    if (before > 0) cpu.slow_yield_score.store(before - 1, std::memory_order_relaxed);
    return;
  }
  auto const now = std::clamp(before, 0, slow_yield_limit) + slow_yield_weight;
  cpu.slow_yield_score.store(now, std::memory_order_relaxed);
  if (now >= slow_yield_limit) ban(cpu, end);
}

}  // namespace earl
