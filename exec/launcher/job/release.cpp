// SPDX-License-Identifier: BSD-3-Clause
/// Rows of processes that have ended become those of new ones, so that a job may spawn for ever.
#include <algorithm>
#include <thread>
#include <utility>

#include "exec/launcher/job/job.hpp"

namespace earl::exec {

namespace {

/// How long a spawn waits for the row of one that has ended, when all others are in use.
constexpr auto room_patience = std::chrono::seconds{2};
/// In a replay, for the row that the recorded run took.
constexpr auto row_patience = std::chrono::seconds{10};
constexpr auto moment = std::chrono::milliseconds{1};
/// Rows that wait for processes that have not looked, above which these are woken to do so.
constexpr std::size_t many_unreleased = 64;

/// The count of a spawn request; 0: it is none.
std::uint32_t count_in(Bytes request) {
  try {
    Reader from(request);
    return SpawnRequest::read(from).count;
  } catch (Error const&) {
    return 0;  // the code that serves it reports it
  }
}

}  // namespace

/// Only those that were spawned: the first processes are the job's size, and the last of a place in
/// a partition is known by it.
void Job::release_soon(Child const& child) {
  bool const one_of_many = index(child.rank) >= processes_in(plan_) && !child.guest &&
                           !child.forked && roster_->at(child.rank).partition == 0;
  if (prepared_->reuses() && !hosts_ && one_of_many) unreleased_.push_back(child.rank);
}

/// Nothing in EXEC is to be done for it any more.
bool Job::may_release(Child const& child) const {
  auto const asked = [&](Request const& request) { return request.from == child.rank; };
  auto const told = [&](auto const& output) { return output->writer() == child.rank; };
  return !child.alive && std::ranges::none_of(waiting_, asked) && std::ranges::none_of(told_, told);
}

bool Job::try_release(Rank rank) {
  auto const& child = child_at(rank);
  if (!may_release(child)) return false;
  if (!prepared_->release(rank)) {
    if (unreleased_.size() > many_unreleased) prepared_->hasten(rank);
    return false;
  }
  mark_ended(child);
  named_services_.released(rank);
  partial_deadlock_.forget(rank);
  roster_->release(rank);
  // Not now: a caller may be iterating over them.
  if (released_.empty()) loop_.after({}, [this] { remove_released(); });
  released_.push_back(rank);
  return true;
}

void Job::remove_released() {
  for (auto const rank : std::exchange(released_, {})) children_.erase(rank);
}

/// The oldest; one that has to wait goes behind the others.
void Job::release_some(std::size_t most) {
  for (auto n = std::min(most, unreleased_.size()); n != 0; --n) {
    auto const rank = unreleased_.front();
    unreleased_.pop_front();
    if (!try_release(rank)) unreleased_.push_back(rank);
  }
}

/// Ranks are given in turn. One whose row is not free is passed over, which is recorded.
Rank Job::choose_rank() {
  auto const next = roster_->next();
  auto rank = roster_->next_free();
  for (auto const& interceptor : interceptors_) rank = interceptor->named(rank, next);
  if (!roster_->is_free(rank)) await_row(rank);
  prepared_->named(rank);
  return rank;
}

/// In a replay: the recorded run did not have to wait.
void Job::await_row(Rank rank) {
  auto const deadline = Clock::now() + row_patience;
  while (!roster_->is_free(rank)) {
    if (Clock::now() > deadline)
      throw Refusal(1, SpawnFault::no_room,
                    "a process that had ended in the recorded run still has the place of the next");
    for (auto const dead : unreleased_) prepared_->hasten(dead);
    std::this_thread::sleep_for(moment);
    release_some(unreleased_.size());
  }
}

/// A spawn for which there is no room waits a little for the rows of those that have ended.
bool Job::awaits_room(Request const& request) {
  if (request.message.operation != static_cast<std::uint32_t>(Operation::spawn)) return false;
  if (unreleased_.empty()) return false;
  auto const wanted = std::min(count_in(request.message.body.bytes()), roster_->most());
  auto const enough = [&] { return roster_->room() >= wanted; };
  if (!enough()) release_some(unreleased_.size());
  auto const now = Clock::now();
  if (!room_awaited_) room_awaited_ = now;
  if (enough() || unreleased_.empty() || now >= *room_awaited_ + room_patience) {
    room_awaited_.reset();
    return false;
  }
  for (auto const dead : unreleased_) prepared_->hasten(dead);
  if (!std::exchange(room_look_due_, true))
    loop_.after(moment, [this] {
      room_look_due_ = false;
      serve_waiting();
    });
  return true;
}

}  // namespace earl::exec
