// SPDX-License-Identifier: BSD-3-Clause
/// Requests about things that have a name in the job, and EXEC's answers: groups of processes,
/// barriers, events.
///
/// A group comes into being with its first member and vanishes with its last. Members have
/// instance numbers from 0; a process that joins gets the lowest that is free. One that ends leaves
/// its groups.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generic/base/values.hpp"
#include "generic/base/wire.hpp"

namespace earl {

enum class GroupFault : std::uint32_t {
  none,
  no_group,
  not_member,      ///< the caller is none
  already_member,  ///< the caller is one
  mismatch,        ///< others wait here with another count
  bad_count,       ///< neither all_members nor at least 1
  frozen,          ///< no process may join any more
};

/// Join a group, leave it, ask for its members: all it takes is a name. So do events.
struct NameRequest {
  std::string name{};

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.name);
  }
};

/// To all that change or wait: the caller's instance number and how many members there are.
struct GroupAnswer {
  GroupFault fault = GroupFault::none;
  std::int32_t instance = -1;
  std::uint32_t size = 0;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(clamped(self.fault, GroupFault::frozen), self.instance, self.size);
  }
};

struct Members {
  GroupFault fault = GroupFault::none;
  bool frozen = false;
  std::vector<Rank> ranks{};  ///< by instance number; no_rank where a member has left

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(clamped(self.fault, GroupFault::frozen), self.frozen,
          limited(self.ranks, 65'536, "members of a group"));
  }
  std::uint32_t size() const;
  /// -1: not a member.
  std::int32_t instance_of(Rank rank) const;
};

inline constexpr std::int32_t all_members = -1;  ///< as many as the group has members now

/// Wait until `count` processes have made the same request: a barrier with a name, a group's
/// barrier, the freezing of a group. The first request fixes the count; a request with another
/// count gets an error at once and disturbs no other.
struct MeetRequest {
  std::string name{};
  std::int32_t count = all_members;

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.name, self.count);
  }
};

/// An event stays posted until it is cleared; waiting for one that is posted returns at once.
struct EventAnswer {
  bool posted = false;  ///< before the request

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.posted);
  }
};

}  // namespace earl
