// SPDX-License-Identifier: BSD-3-Clause
/// Where ranks live that EXEC has no channels to: they share a line.
#pragma once

#include "exec/runtime/control.hpp"

namespace earl::exec {

/// The job's shared process (shared_process_channel.hpp), or a host that an agent looks after
/// (exec/launcher/hosts). What the ranks say comes in by Channels::take().
class RankChannel {
 public:
  /// A message that a process would find in its channel.
  virtual void pass(Rank rank, control::Type type, std::uint32_t ticket, std::uint32_t operation,
                    Bytes body) = 0;
  /// Like kill(2).
  virtual void signal(Rank rank, int number) = 0;
  /// A rank's message has been dealt with, and the results have been sent.
  virtual void handled() = 0;

 protected:
  ~RankChannel() = default;
};

}  // namespace earl::exec
