// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/services/groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

void Groups::join(PendingReply const& reply, std::string const& name) {
  auto& group = groups_[name];
  if (group.frozen) return refuse(reply, GroupFault::frozen);
  if (instance_of(group.ranks, reply.to) >= 0) return refuse(reply, GroupFault::already_member);
  auto const hole = std::ranges::find(group.ranks, no_rank);
  group.lost.erase(static_cast<std::size_t>(hole - group.ranks.begin()));
  if (hole == group.ranks.end())
    group.ranks.push_back(reply.to);
  else
    *hole = reply.to;
  context_.answer(reply, answer_for(group.ranks, reply.to));
}

void Groups::leave(PendingReply const& reply, std::string const& name) {
  auto const found = groups_.find(name);
  if (found == groups_.end()) return refuse(reply, GroupFault::no_group);
  auto const before = answer_for(found->second.ranks, reply.to);
  if (before.instance < 0) return refuse(reply, GroupFault::not_member);
  remove(found, reply.to);
  context_.answer(reply, GroupAnswer{.instance = before.instance, .size = before.size - 1});
}

void Groups::members(PendingReply const& reply, std::string const& name) {
  auto const found = groups_.find(name);
  if (found == groups_.end()) return context_.answer(reply, Members{.fault = GroupFault::no_group});
  context_.answer(reply, Members{.frozen = found->second.frozen, .ranks = found->second.ranks});
}

void Groups::barrier(PendingReply const& reply, MeetRequest const& request) {
  meet(reply, request, &Group::barrier);
}

void Groups::freeze(PendingReply const& reply, MeetRequest const& request) {
  auto const found = groups_.find(request.name);
  if (found != groups_.end() && found->second.frozen)
    return refuse(reply, GroupFault::already_member);
  meet(reply, request, &Group::freezing);
}

void Groups::meet(PendingReply const& reply, MeetRequest const& request, Meeting Group::*meeting) {
  auto const found = groups_.find(request.name);
  if (found == groups_.end()) return refuse(reply, GroupFault::no_group);
  auto& group = found->second;
  if (group.ended) return refuse(reply, GroupFault::no_group);
  if (instance_of(group.ranks, reply.to) < 0) return refuse(reply, GroupFault::not_member);
  if (request.count < 1 && request.count != all_members)
    return refuse(reply, GroupFault::bad_count);
  auto const count = request.count == all_members ? size_of(group.ranks)
                                                  : static_cast<std::uint32_t>(request.count);
  auto const came = (group.*meeting).arrive(reply, count);
  if (came == Meeting::Came::mismatch) return refuse(reply, GroupFault::mismatch);
  if (came == Meeting::Came::waits) return;
  if (meeting == &Group::freezing) group.frozen = true;
  for (auto const& one : (group.*meeting).part())
    context_.answer(one, answer_for(group.ranks, one.to));
}

/// No barrier that is short of a member ends by the member's death, as another may join. When none
/// will, the report names the dead.
WaitReason Groups::reason(Group const& group, Meeting const& meeting, std::string_view where,
                          bool others) {
  auto reason = meeting.reason(where, group.ranks, others);
  if (group.lost.empty()) return reason;
  std::vector<std::int32_t> ranks;
  for (auto const& [instance, id] : group.lost) ranks.push_back(number(process_of(id)));
  reason.what += fmt::format(", in which {} {} has ended",
                             ranks.size() == 1 ? "rank" : "each of ranks", fmt::join(ranks, ", "));
  return reason;
}

std::optional<WaitReason> Groups::wait_reason_of(Rank rank) const {
  for (auto const& [name, group] : groups_) {
    if (group.barrier.has(rank))
      return reason(group, group.barrier, fmt::format("the barrier of the group \"{}\"", name),
                    !group.frozen);
    if (group.freezing.has(rank))
      return reason(group, group.freezing, fmt::format("the freezing of the group \"{}\"", name),
                    true);
  }
  return std::nullopt;
}

/// Takes a member out; gives the group that follows.
Groups::ByName::iterator Groups::remove(ByName::iterator group, Rank rank) {
  auto& [ranks, frozen, ended, barrier, freezing, lost] = group->second;
  *std::ranges::find(ranks, rank) = no_rank;
  barrier.remove(rank);
  freezing.remove(rank);
  ended = frozen;
  if (ended) dissolve(group->second);
  while (!ranks.empty() && ranks.back() == no_rank) ranks.pop_back();
  return ranks.empty() ? groups_.erase(group) : std::next(group);
}

/// Members that wait get an error.
void Groups::dissolve(Group& group) {
  for (auto const& reply : group.barrier.part()) refuse(reply, GroupFault::no_group);
  for (auto const& reply : group.freezing.part()) refuse(reply, GroupFault::no_group);
}

/// A barrier that waits for it waits on: another process may join and take its place.
void Groups::died(Rank rank, int) {
  for (auto group = groups_.begin(); group != groups_.end();) {
    auto const instance = instance_of(group->second.ranks, rank);
    if (instance < 0) {
      ++group;
      continue;
    }
    group->second.lost[static_cast<std::size_t>(instance)] = rank;
    group = remove(group, rank);
  }
}

}  // namespace earl::exec
