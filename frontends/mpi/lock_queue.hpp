// SPDX-License-Identifier: BSD-3-Clause
/// The lock of one window at one target: its holders, and those that wait for it in order.
#pragma once

#include <deque>
#include <vector>

#include "generic/base/values.hpp"
#include "generic/system/ticket_lock.hpp"

namespace earl::mpi {

class LockQueue {
 public:
  /// True: `origin` holds it from now on. False: it waits, behind those that asked before.
  bool ask(Rank origin, LockType type);
  /// `origin`, which holds it, gives it back. Those that hold it from now on, in their order.
  std::vector<Rank> release(Rank origin);
  /// Some wait until another process than `owner` gives it back.
  bool waits_for_others(Rank owner) const;

 private:
  struct Waiting {
    Rank origin;
    LockType type;
  };
  bool is_free_for(LockType type) const {
    return holders_.empty() || (type == LockType::shared && held_as_ == LockType::shared);
  }
  void grant(Rank origin, LockType type) {
    holders_.push_back(origin);
    held_as_ = type;
  }

  std::vector<Rank> holders_{};
  LockType held_as_ = LockType::shared;  ///< while there are holders
  std::deque<Waiting> waiting_{};
};

}  // namespace earl::mpi
