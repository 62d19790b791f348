// SPDX-License-Identifier: BSD-3-Clause
/// The transports of a job's messages on one of several hosts: a back end among its processes, and
/// one towards the others. They may be the same.
#pragma once

#include <memory>
#include <vector>

#include "exec/launcher/hosts/host_line.hpp"
#include "exec/launcher/hosts/host_messages.hpp"
#include "generic/seams/backend.hpp"

namespace earl::exec {

class AgentBackEnds {
 public:
  /// `line` is the one to EXEC. Throws Error.
  AgentBackEnds(control::HostConfiguration const& configuration, HostLine const& line);

  /// For `rank`, which is to start here; `here`: how many of them are the first back end's.
  std::vector<int> descriptors(Rank rank, std::uint32_t& here);
  std::string address(Rank rank) { return outward().address(rank); }
  void add_address(Rank rank, std::string const& address) { outward().add_address(rank, address); }
  /// For the back end that may fail.
  int wait_fd() const { return here_->wait_fd(); }
  void handle_event() { here_->handle_event(); }
  void registered(Rank rank, std::int32_t unix_pid);
  void notify_control(Rank rank) { here_->notify_control(rank); }
  void ended_here(Rank rank, bool killed);
  void ended_elsewhere(Rank rank) { outward().ended(rank); }
  // --- as PreparedJob's, of any process of the job
  bool reuses() const { return here_->reuses() && (!away_ || away_->reuses()); }
  void named(Rank rank);
  bool release(Rank rank);
  void wake_peers_for_release(Rank rank);

 private:
  PreparedJob& outward() { return away_ ? *away_ : *here_; }

  std::unique_ptr<PreparedJob> here_;
  std::unique_ptr<PreparedJob> away_;  ///< null: the same as `here_`
};

}  // namespace earl::exec
