// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/job/row_allocator.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "exec/launcher/programs/programs.hpp"

namespace earl::exec {

namespace {

/// The longest time that a spawn waits for the row of one that has ended, when all others are in
/// use.
constexpr auto longest_room_wait = std::chrono::seconds{2};
/// In a replay, for the row that the recorded run took.
constexpr auto longest_row_wait = std::chrono::seconds{10};
constexpr auto release_interval = std::chrono::milliseconds{1};
/// Rows that wait for processes that have not looked, above which these are woken to do so.
constexpr std::size_t many_unreleased = 64;

}  // namespace

/// Only those that were spawned: the first processes are the job's size, and the last of a place in
/// a partition is known by it.
void RowAllocator::add(Child const& child) {
  bool const spawned = index(child.rank) >= parts_.first_spawned && !child.is_guest() &&
                       !child.is_forked() && parts_.roster.at(child.rank).partition == 0;
  if (parts_.back_end->reuses() && spawned) unreleased_.push_back(child.rank);
}

bool RowAllocator::try_release(Rank rank) {
  auto const& child = parts_.children.at(rank);
  if (child.alive() || client_.has_work_of(rank)) return false;
  if (!parts_.back_end->release(rank)) {
    if (unreleased_.size() > many_unreleased) parts_.back_end->wake_peers_for_release(rank);
    return false;
  }
  client_.releasing(child);
  parts_.roster.release(rank);
  // Not now: a caller may be iterating over them.
  if (released_.empty()) parts_.loop.after({}, [this] { erase_released(); });
  released_.push_back(rank);
  return true;
}

void RowAllocator::erase_released() {
  for (auto const rank : std::exchange(released_, {})) parts_.children.erase(rank);
}

void RowAllocator::release_some(std::size_t most) {
  for (auto n = std::min(most, unreleased_.size()); n != 0; --n) {
    auto const rank = unreleased_.front();
    unreleased_.pop_front();
    if (!try_release(rank)) unreleased_.push_back(rank);
  }
}

Child& RowAllocator::allocate(NewRow const& row) {
  auto const rank = choose_rank();
  parts_.roster.add(row, rank);
  return parts_.children.add(rank);
}

/// Ranks are given in turn. One whose row is not free is passed over, which a recording has to
/// know.
Rank RowAllocator::choose_rank() {
  auto const rank =
      parts_.interceptors.choose_rank(parts_.roster.next_free(), parts_.roster.next());
  if (!parts_.roster.is_free(rank)) await_row(rank);
  parts_.back_end->named(rank);
  return rank;
}

/// In a replay, for all but the first process of a request (see awaits_room()): the recorded run
/// did not have to wait.
void RowAllocator::await_row(Rank rank) {
  auto const deadline = Clock::now() + longest_row_wait;
  while (!parts_.roster.is_free(rank)) {
    if (Clock::now() > deadline)
      throw Refusal(1, SpawnFault::no_room,
                    "a process that had ended in the recorded run still has the place of the next");
    wake_all_peers_for_release();
    std::this_thread::sleep_for(release_interval);
    release_some(unreleased_.size());
  }
}

void RowAllocator::wake_all_peers_for_release() const {
  for (auto const rank : unreleased_) parts_.back_end->wake_peers_for_release(rank);
}

bool RowAllocator::awaits_room(std::uint32_t wanted) {
  auto const coming = parts_.interceptors.coming_rank(parts_.roster.next());
  auto const enough = [&] {
    return parts_.roster.room() >= std::min(wanted, parts_.roster.most()) &&
           (!coming || parts_.roster.is_free(*coming)) &&
           (!parts_.waits_for_all || unreleased_.empty());
  };
  if (!enough()) release_some(unreleased_.size());
  bool const none_comes = unreleased_.empty() && !enough() && !client_.some_leave();
  auto const now = Clock::now();
  if (!room_awaited_) room_awaited_ = now;
  auto const longest = coming ? longest_row_wait : longest_room_wait;
  if (enough() || none_comes || now >= *room_awaited_ + longest) {
    room_awaited_.reset();
    return false;
  }
  wake_all_peers_for_release();
  if (!std::exchange(look_due_, true))
    parts_.loop.after(release_interval, [this] {
      look_due_ = false;
      client_.room_changed();
    });
  return true;
}

}  // namespace earl::exec
