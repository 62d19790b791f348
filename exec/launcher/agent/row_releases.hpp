// SPDX-License-Identifier: BSD-3-Clause
/// Rows of ended processes that EXEC wants to use again, and that processes here still need.
#pragma once

#include <cstddef>
#include <deque>

#include "exec/launcher/agent/back_ends.hpp"
#include "exec/launcher/events/loop.hpp"

namespace earl::exec {

class RowReleases {
 public:
  class Client {
   public:
    /// Nothing on this host needs the row any more.
    virtual void released(Rank rank) = 0;

   protected:
    ~Client() = default;
  };

  RowReleases(Loop& loop, AgentBackEnds& back_ends, Client& client)
      : loop_(loop), back_ends_(back_ends), client_(client) {}

  /// The process has ended, and its end is known here.
  void add(Rank rank);
  /// Wakes the processes that these rows wait for.
  void wake_peers_for_release();

 private:
  void try_some(std::size_t most);

  Loop& loop_;
  AgentBackEnds& back_ends_;
  Client& client_;
  std::deque<Rank> waiting_{};
  bool look_due_ = false;
};

}  // namespace earl::exec
