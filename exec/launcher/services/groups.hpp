// SPDX-License-Identifier: BSD-3-Clause
/// Groups of processes by name, with the semantics of generic/services/groups.hpp.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "exec/launcher/services/meeting.hpp"
#include "exec/launcher/services/service_context.hpp"
#include "generic/services/groups.hpp"

namespace earl::exec {

class Groups final : public Service {
 public:
  explicit Groups(ServiceContext& context) : context_(context) {}

  void join(PendingReply const& reply, std::string const& name);
  void leave(PendingReply const& reply, std::string const& name);
  void members(PendingReply const& reply, std::string const& name);
  void barrier(PendingReply const& reply, MeetRequest const& request);
  /// Like a barrier; after it no process can join, and one that leaves ends the group for barriers.
  void freeze(PendingReply const& reply, MeetRequest const& request);
  void died(Rank rank, int wait_status) override;
  std::optional<WaitReason> wait_reason_of(Rank rank) const override;

 private:
  struct Group {
    std::vector<Rank> ranks{};  ///< by instance; no_rank where a member has left
    bool frozen = false;
    bool ended = false;  ///< frozen, and a member has left: no barrier completes any more
    Meeting barrier{};
    Meeting freezing{};
    std::map<std::size_t, Rank> lost{};  ///< ended while members, until another has the instance
  };
  using ByName = std::map<std::string, Group>;

  void meet(PendingReply const& reply, MeetRequest const& request, Meeting Group::*meeting);
  ByName::iterator remove(ByName::iterator group, Rank rank);
  void dissolve(Group& group);
  static WaitReason reason(Group const& group, Meeting const& meeting, std::string_view where,
                           bool others);
  void refuse(PendingReply const& reply, GroupFault fault) {
    context_.answer(reply, GroupAnswer{.fault = fault});
  }

  ServiceContext& context_;
  ByName groups_;
};

}  // namespace earl::exec
