// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/child_table.hpp"

namespace earl::exec {

Child& ChildTable::add(Rank rank) {
  auto& child = children_[rank];
  child.rank = rank;
  return child;
}

Child* ChildTable::find(Rank rank) {
  auto const found = children_.find(rank);
  return found == children_.end() ? nullptr : &found->second;
}

Child const* ChildTable::find(Rank rank) const {
  auto const found = children_.find(rank);
  return found == children_.end() ? nullptr : &found->second;
}

bool ChildTable::remove_pid(Child const& child) {
  auto const known = by_pid_.find(child.pid);
  if (known == by_pid_.end() || known->second != child.rank) return false;
  by_pid_.erase(known);
  return true;
}

Child* ChildTable::of_pid(pid_t pid) {
  auto const known = by_pid_.find(pid);
  return known == by_pid_.end() ? nullptr : find(known->second);
}

void ChildTable::set_running(Child& child) {
  child.phase = Phase::running;
  ++alive_;
  if (child.is_console()) ++consoles_;
}

void ChildTable::set_ended(Child& child) {
  child.phase = Phase::ended;
  --alive_;
  if (child.is_console()) --consoles_;
}

}  // namespace earl::exec
