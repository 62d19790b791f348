// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's records of the processes of its job.
#pragma once

#include <map>
#include <unordered_map>

#include "exec/launcher/children/child.hpp"

namespace earl::exec {

/// Records by rank and by process, and how many processes are alive. A record's address does not
/// change.
class ChildTable {
 public:
  Child& add(Rank rank);
  void erase(Rank rank) { children_.erase(rank); }

  bool empty() const { return children_.empty(); }
  Child& at(Rank rank) { return children_.at(rank); }
  Child const& at(Rank rank) const { return children_.at(rank); }
  /// Null: there is no record, or no record any more.
  Child* find(Rank rank);
  Child const* find(Rank rank) const;
  /// Ascending by rank. Records may be added meanwhile, not erased.
  std::map<Rank, Child>& all() { return children_; }
  std::map<Rank, Child> const& all() const { return children_; }

  /// `child.pid` is, or will be, a child process of EXEC.
  void add_pid(Child const& child) { by_pid_[child.pid] = child.rank; }
  /// False: the pid is no child process of this record.
  bool remove_pid(Child const& child);
  /// Null: `pid` is no process of the job that EXEC is the parent of.
  Child* of_pid(pid_t pid);

  void set_running(Child& child);
  void set_ended(Child& child);
  std::uint32_t alive() const { return alive_; }
  /// Processes that are alive, without consoles.
  std::uint32_t members() const { return alive_ - consoles_; }

 private:
  std::map<Rank, Child> children_;
  std::unordered_map<pid_t, Rank> by_pid_;
  std::uint32_t alive_ = 0;
  std::uint32_t consoles_ = 0;  ///< of those that are alive
};

}  // namespace earl::exec
