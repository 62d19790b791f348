// SPDX-License-Identifier: BSD-3-Clause
// libgpvm3: dynamic process groups. A library of its own, because Debian's programs need it by
// name. In PVM a server task keeps the groups; here EXEC does.
#include <algorithm>
#include <vector>

#include "frontends/pvm3/group_call.hpp"
#include "generic/exec_client.hpp"

using namespace earl;

namespace {

/// Runs `body(Members const&)` with the members of an existing group.
template <class Body>
int with_members(Process& me, char const* group, Body body) {
  if (!pvm::is_name(group)) return PvmNullGroup;
  auto const members = me.exec().group_members(group);
  return members.fault == GroupFault::none ? body(members) : pvm::code_of(members.fault);
}

/// The code of the fault, or the requested value.
int result(GroupAnswer const& answer, int value) {
  return answer.fault == GroupFault::none ? value : pvm::code_of(answer.fault);
}

/// The name of a meeting of so many. In PVM a number below "all members" is one that no other
/// member has given.
int result(GroupAnswer const& answer, int value, int count) {
  if (answer.fault == GroupFault::bad_count && count < 0) return PvmMismatch;
  return result(answer, value);
}

/// The free number that the next member will have: PVM finds it for the task -1.
int first_free(Members const& members) {
  auto const found = std::ranges::find(members.ranks, no_rank);
  return static_cast<int>(found - members.ranks.begin());
}

int tid_of_instance(Process& me, Members const& members, int instance) {
  bool const there = instance >= 0 && static_cast<std::size_t>(instance) < members.ranks.size();
  auto const rank = there ? members.ranks[static_cast<std::size_t>(instance)] : no_rank;
  return rank == no_rank ? PvmNoInst : pvm::tid_of(me.table(), rank);
}

int broadcast(Process& me, Members const& members, int tag) {
  std::vector<int> tids;
  for (auto const rank : members.ranks)
    if (rank != no_rank && rank != pvm::own_id(me)) tids.push_back(pvm::tid_of(me.table(), rank));
  if (tids.empty()) return PvmNoInst;
  return pvm_mcast(tids.data(), static_cast<int>(tids.size()), tag);
}

}  // namespace

extern "C" {

int pvm_joingroup(char* group) {
  return pvm::group_call("pvm_joingroup", [&](Process& me) -> int {
    if (!pvm::is_name(group)) return PvmNullGroup;
    auto const answer = me.exec().join_group(group);
    return result(answer, answer.instance);
  });
}

int pvm_lvgroup(char* group) {
  return pvm::group_call("pvm_lvgroup", [&](Process& me) -> int {
    if (!pvm::is_name(group)) return PvmNullGroup;
    return result(me.exec().leave_group(group), PvmOk);
  });
}

int pvm_gsize(char* group) {
  return pvm::group_call("pvm_gsize", [&](Process& me) {
    return with_members(me, group,
                        [](Members const& members) { return static_cast<int>(members.size()); });
  });
}

int pvm_gettid(char* group, int inum) {
  return pvm::group_call("pvm_gettid", [&](Process& me) {
    return with_members(me, group,
                        [&](Members const& members) { return tid_of_instance(me, members, inum); });
  });
}

int pvm_getinst(char* group, int tid) {
  return pvm::group_call("pvm_getinst", [&](Process& me) {
    return with_members(me, group, [&](Members const& members) -> int {
      if (tid == -1) return first_free(members);
      auto const id = pvm::id_of(me.table(), tid);
      int const instance = id ? members.instance_of(*id) : -1;
      return instance < 0 ? PvmNotInGroup : instance;
    });
  });
}

int pvm_barrier(char* group, int count) {
  return pvm::group_call("pvm_barrier", [&](Process& me) -> int {
    if (!pvm::is_name(group)) return PvmNullGroup;
    return result(me.exec().group_barrier({.name = group, .count = count}), PvmOk, count);
  });
}

int pvm_freezegroup(char* group, int count) {
  return pvm::group_call("pvm_freezegroup", [&](Process& me) -> int {
    if (!pvm::is_name(group)) return PvmNullGroup;
    auto const answer = me.exec().freeze_group({.name = group, .count = count});
    return result(answer, static_cast<int>(answer.size), count);
  });
}

int pvm_bcast(char* group, int tag) {
  return pvm::group_call("pvm_bcast", [&](Process& me) {
    return with_members(me, group,
                        [&](Members const& members) { return broadcast(me, members, tag); });
  });
}

}  // extern "C"
