/// Groups of processes by name, with the semantics of generic/groups.hpp.
#pragma once

#include <map>
#include <string>

#include "exec/services/desk.hpp"
#include "exec/services/meeting.hpp"
#include "generic/groups.hpp"

namespace earl::exec {

class Groups final : public Service {
 public:
  explicit Groups(Desk& desk) : desk_(desk) {}

  void join(Owed const& owed, std::string const& name);
  void leave(Owed const& owed, std::string const& name);
  void members(Owed const& owed, std::string const& name);
  void barrier(Owed const& owed, MeetRequest const& request);
  /// As a barrier; after it nobody can join, and whoever leaves ends the group for barriers.
  void freeze(Owed const& owed, MeetRequest const& request);
  void died(Rank rank, int wait_status) override;
  std::optional<Lack> lack_of(Rank rank) const override;

 private:
  struct Group {
    std::vector<Rank> ranks{};  ///< by instance; no_rank where somebody has left
    bool frozen = false;
    bool ended = false;  ///< frozen, and somebody has left: nobody meets any more
    Meeting barrier{};
    Meeting freezing{};
  };
  using ByName = std::map<std::string, Group>;

  void meet(Owed const& owed, MeetRequest const& request, Meeting Group::*meeting);
  ByName::iterator remove(ByName::iterator group, Rank rank);
  void dissolve(Group& group);
  void refuse(Owed const& owed, GroupFault fault) {
    desk_.answer(owed, GroupAnswer{.fault = fault});
  }

  Desk& desk_;
  ByName groups_;
};

}  // namespace earl::exec
