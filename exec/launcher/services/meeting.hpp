// SPDX-License-Identifier: BSD-3-Clause
/// Processes that wait for each other: the state of one barrier.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "exec/launcher/services/service_context.hpp"

namespace earl::exec {

class Meeting {
 public:
  enum class Came { waits, completes, mismatch };

  /// One more is here. The first fixes how many are awaited, until they are complete; a mismatch
  /// changes nothing.
  Came arrive(PendingReply const& reply, std::uint32_t count) {
    if (waiting_.empty()) count_ = count;
    if (count != count_) return Came::mismatch;
    waiting_.push_back(reply);
    return waiting_.size() == count_ ? Came::completes : Came::waits;
  }
  /// The waiting processes, in the order of arrival; none from then on.
  std::vector<PendingReply> part() { return std::exchange(waiting_, {}); }
  void remove(Rank rank) {
    std::erase_if(waiting_, [rank](PendingReply const& reply) { return reply.to == rank; });
  }
  bool empty() const { return waiting_.empty(); }
  bool has(Rank rank) const {
    return std::ranges::find(waiting_, rank, &PendingReply::to) != waiting_.end();
  }
  /// The wait reason of the waiting processes; `members`: the possible arrivals, and maybe
  /// `others`.
  WaitReason reason(std::string_view where, std::span<Rank const> members, bool others) const;

 private:
  std::uint32_t count_ = 0;
  std::vector<PendingReply> waiting_;
};

}  // namespace earl::exec
