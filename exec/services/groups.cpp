#include "exec/services/groups.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace earl::exec {

namespace {

std::int32_t instance_of(std::vector<Rank> const& ranks, Rank rank) {
  auto const found = std::ranges::find(ranks, rank);
  return found == ranks.end() ? -1 : static_cast<std::int32_t>(found - ranks.begin());
}

std::uint32_t size_of(std::vector<Rank> const& ranks) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(ranks, [](Rank r) { return r != no_rank; }));
}

GroupAnswer answer_for(std::vector<Rank> const& ranks, Rank rank) {
  return {.instance = instance_of(ranks, rank), .size = size_of(ranks)};
}

}  // namespace

void Groups::join(Owed const& owed, std::string const& name) {
  auto& group = groups_[name];
  if (group.frozen) return refuse(owed, GroupFault::frozen);
  if (instance_of(group.ranks, owed.to) >= 0) return refuse(owed, GroupFault::already_member);
  auto const hole = std::ranges::find(group.ranks, no_rank);
  if (hole == group.ranks.end())
    group.ranks.push_back(owed.to);
  else
    *hole = owed.to;
  desk_.answer(owed, answer_for(group.ranks, owed.to));
}

void Groups::leave(Owed const& owed, std::string const& name) {
  auto const found = groups_.find(name);
  if (found == groups_.end()) return refuse(owed, GroupFault::no_group);
  auto const before = answer_for(found->second.ranks, owed.to);
  if (before.instance < 0) return refuse(owed, GroupFault::not_member);
  remove(found, owed.to);
  desk_.answer(owed, GroupAnswer{.instance = before.instance, .size = before.size - 1});
}

void Groups::members(Owed const& owed, std::string const& name) {
  auto const found = groups_.find(name);
  if (found == groups_.end()) return desk_.answer(owed, Members{.fault = GroupFault::no_group});
  desk_.answer(owed, Members{.frozen = found->second.frozen, .ranks = found->second.ranks});
}

void Groups::barrier(Owed const& owed, MeetRequest const& request) {
  meet(owed, request, &Group::barrier);
}

void Groups::freeze(Owed const& owed, MeetRequest const& request) {
  auto const found = groups_.find(request.name);
  if (found != groups_.end() && found->second.frozen)
    return refuse(owed, GroupFault::already_member);
  meet(owed, request, &Group::freezing);
}

void Groups::meet(Owed const& owed, MeetRequest const& request, Meeting Group::*meeting) {
  auto const found = groups_.find(request.name);
  if (found == groups_.end()) return refuse(owed, GroupFault::no_group);
  auto& group = found->second;
  if (group.ended) return refuse(owed, GroupFault::no_group);
  if (instance_of(group.ranks, owed.to) < 0) return refuse(owed, GroupFault::not_member);
  if (request.count < 1 && request.count != everybody) return refuse(owed, GroupFault::bad_count);
  auto const count =
      request.count == everybody ? size_of(group.ranks) : static_cast<std::uint32_t>(request.count);
  auto const came = (group.*meeting).arrive(owed, count);
  if (came == Meeting::Came::mismatch) return refuse(owed, GroupFault::mismatch);
  if (came == Meeting::Came::waits) return;
  if (meeting == &Group::freezing) group.frozen = true;
  for (auto const& one : (group.*meeting).part())
    desk_.answer(one, answer_for(group.ranks, one.to));
}

std::optional<Lack> Groups::lack_of(Rank rank) const {
  for (auto const& [name, group] : groups_) {
    if (group.barrier.has(rank))
      return group.barrier.lack(fmt::format("the barrier of the group \"{}\"", name), group.ranks,
                                !group.frozen);
    if (group.freezing.has(rank))
      return group.freezing.lack(fmt::format("the freezing of the group \"{}\"", name), group.ranks,
                                 true);
  }
  return std::nullopt;
}

/// Takes a member out; gives the group that follows.
Groups::ByName::iterator Groups::remove(ByName::iterator group, Rank rank) {
  auto& [ranks, frozen, ended, barrier, freezing] = group->second;
  *std::ranges::find(ranks, rank) = no_rank;
  barrier.forget(rank);
  freezing.forget(rank);
  ended = frozen;
  if (ended) dissolve(group->second);
  while (!ranks.empty() && ranks.back() == no_rank) ranks.pop_back();
  return ranks.empty() ? groups_.erase(group) : std::next(group);
}

/// Whoever waits waits in vain.
void Groups::dissolve(Group& group) {
  for (auto const& owed : group.barrier.part()) refuse(owed, GroupFault::no_group);
  for (auto const& owed : group.freezing.part()) refuse(owed, GroupFault::no_group);
}

/// One that has left may come back (a hole is filled again), one that has ended does not: a meeting
/// that was within reach and no longer is has ended.
void Groups::died(Rank rank, int) {
  for (auto group = groups_.begin(); group != groups_.end();) {
    auto& [ranks, frozen, ended, barrier, freezing] = group->second;
    if (instance_of(ranks, rank) < 0) {
      ++group;
      continue;
    }
    auto const before = size_of(ranks);
    if (barrier.spoiled(before, before - 1) || freezing.spoiled(before, before - 1))
      dissolve(group->second);
    group = remove(group, rank);
  }
}

}  // namespace earl::exec
