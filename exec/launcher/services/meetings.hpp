// SPDX-License-Identifier: BSD-3-Clause
/// Barriers and events that have a name and no members: any process may come.
#pragma once

#include <map>
#include <string>

#include "exec/launcher/services/meeting.hpp"
#include "exec/launcher/services/service_context.hpp"
#include "generic/services/groups.hpp"

namespace earl::exec {

class Meetings final : public Service {
 public:
  explicit Meetings(ServiceContext& context) : context_(context) {}

  void barrier(PendingReply const& reply, MeetRequest const& request);
  void post(PendingReply const& reply, std::string const& event);
  void clear(PendingReply const& reply, std::string const& event);
  void wait(PendingReply const& reply, std::string const& event);
  void died(Rank rank, int wait_status) override;
  std::optional<WaitReason> wait_reason_of(Rank rank) const override;

 private:
  struct Event {
    bool posted = false;
    std::vector<PendingReply> waiting{};
  };

  ServiceContext& context_;
  std::map<std::string, Meeting> barriers_;
  std::map<std::string, Event> events_;
};

}  // namespace earl::exec
