// SPDX-License-Identifier: BSD-3-Clause
/// Answers and messages of EXEC's services, on their way to processes.
#pragma once

#include "exec/launcher/children/channels.hpp"
#include "exec/launcher/children/child_table.hpp"
#include "exec/launcher/job/deadlock_monitor.hpp"
#include "exec/launcher/job/remote_spawns.hpp"

namespace earl::exec {

class ServiceMessages final : public ServiceContext {
 public:
  struct Parts {
    Channels& channels;
    ChildTable& children;
    Roster const& roster;
    DeadlockMonitor& monitor;
    RemoteSpawns const& hosts;
  };

  explicit ServiceMessages(Parts const& parts) : parts_(parts) {}

  void send_answer(PendingReply const& reply, Bytes answer) override;
  void send_message(Rank to, Header const& header, Bytes payload) override;
  Roster const& roster() const override { return parts_.roster; }
  HostList hosts() const override { return parts_.hosts.list(); }

 private:
  Child* receiver(Rank to);

  Parts parts_;
};

}  // namespace earl::exec
