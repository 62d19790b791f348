// SPDX-License-Identifier: BSD-3-Clause
/// The processes of a job as the operating system sees them: a process group, and orphans.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <string>
#include <vector>

#include "exec/launcher/events/loop.hpp"

namespace earl::exec {

/// The cleanup watchdog is the group's first process, so that its number stays the job's.
class ProcessGroup {
 public:
  /// Starts the watchdog; what processes of the job fork and leave behind becomes EXEC's child,
  /// unless EXEC has children of its own already. `mark`: see mark.hpp.
  explicit ProcessGroup(std::string const& mark);

  /// new_group: the next process begins it.
  pid_t id() const { return id_; }
  void begun_by(pid_t leader) { id_ = leader; }
  /// A child of EXEC that is no process of the job; the caller ends it.
  void spare(pid_t helper) { helpers_.push_back(helper); }
  /// The watchdog, whose pid keeps the group's number, or one that is spared.
  bool is_helper(pid_t pid) const { return pid == watchdog_ || is_spared(pid); }

  void signal(int number) const;
  /// Ends what the job's processes forked and left behind; waits for it, but not for ever.
  void remove_stragglers(Loop& loop) const;

 private:
  bool is_spared(pid_t pid) const { return std::ranges::find(helpers_, pid) != helpers_.end(); }

  bool adopts_;     ///< every child of EXEC is of this job
  pid_t watchdog_;  ///< 0: there is none
  pid_t id_;
  std::vector<pid_t> helpers_{};
};

}  // namespace earl::exec
