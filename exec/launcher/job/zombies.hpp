// SPDX-License-Identifier: BSD-3-Clause
/// Child processes of EXEC that have ended and have not been waited for.
#pragma once

#include <sys/wait.h>

#include <deque>

#include "exec/launcher/children/child_table.hpp"

namespace earl::exec {

/// Zombies stay until no process has anything left of theirs, so that no process's memory is read
/// by a pid that has become another's; but the system has only so many pids, and some processes
/// never look.
class Zombies {
 public:
  static constexpr std::size_t most = 2048;

  explicit Zombies(ChildTable& children) : children_(children) {}

  void add(Child const& child) { ranks_.push_back(child.rank); }
  /// Reaps the oldest ones above `most`.
  void limit() {
    while (ranks_.size() > most) {
      auto const* const oldest = children_.find(ranks_.front());
      ranks_.pop_front();
      if (oldest) reap(*oldest);
    }
  }
  void reap(Child const& child) {
    if (children_.remove_pid(child)) ::waitpid(child.pid, nullptr, WNOHANG);
  }

 private:
  ChildTable& children_;
  std::deque<Rank> ranks_;
};

}  // namespace earl::exec
