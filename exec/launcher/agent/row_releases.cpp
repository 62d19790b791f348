// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/agent/row_releases.hpp"

#include <algorithm>
#include <utility>

namespace earl::exec {

namespace {

/// Tried with each that comes, so that they do not pile up while processes look.
constexpr std::size_t tries_per_row = 4;
/// For a process that has been woken to look.
constexpr auto moment = std::chrono::milliseconds{1};

}  // namespace

void RowReleases::add(Rank rank) {
  waiting_.push_front(rank);
  try_some(tries_per_row);
}

void RowReleases::wake_peers_for_release() {
  for (auto const rank : waiting_) back_ends_.wake_peers_for_release(rank);
  try_some(waiting_.size());
  if (waiting_.empty() || std::exchange(look_due_, true)) return;
  loop_.after(moment, [this] {
    look_due_ = false;
    try_some(waiting_.size());
  });
}

/// One that has to wait goes behind the others.
void RowReleases::try_some(std::size_t most) {
  for (auto n = std::min(most, waiting_.size()); n != 0; --n) {
    auto const rank = waiting_.front();
    waiting_.pop_front();
    if (back_ends_.release(rank))
      client_.released(rank);
    else
      waiting_.push_back(rank);
  }
}

}  // namespace earl::exec
