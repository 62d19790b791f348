// SPDX-License-Identifier: BSD-3-Clause
/// Forks of a process that is replayed alone, kept at calls that it has come to: to go back it need
/// not run from its beginning. gdb_commands.py is the other end of the line.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "generic/system/descriptor.hpp"

namespace earl::replay {

/// A message of these processes; a kept one comes with its own line, on which it takes requests.
struct ForkNotice {
  enum class What : std::int32_t {
    kept = 1,  ///< `process` waits at `event` for requests
    arrived,   ///< `process` is at `event` and waits until it is traced
    ended,     ///< `process` has ended, or could not be forked
  };
  What what = What::kept;
  std::int32_t process = 0;
  std::uint64_t event = 0;
};

/// One per process; single-threaded programs only, as fork(2) takes no other thread along.
class ForkServer {
 public:
  explicit ForkServer(Descriptor channel) : channel_(std::move(channel)) {}

  /// Keeps this process at `event`, 0: before its first call. Returns in processes that are forked
  /// from it, when they are asked for. Gives the event at which they call this again; 0: none.
  /// Blocks. Throws Error when the system has no more sockets or processes.
  std::uint64_t stop(std::uint64_t event);

 private:
  using Offsets = std::vector<std::pair<int, off_t>>;

  bool fork_one();
  void keep(Descriptor line, Offsets const& offsets);
  void wait_until_traced(std::uint64_t event);
  void report(ForkNotice::What what, pid_t process, std::uint64_t event, int line = -1);
  void report_ended();

  Descriptor channel_;
  std::deque<std::uint64_t> stops_{};  ///< to come; gdb looks at the last one
  Descriptor child_{};                 ///< the process that was forked last
};

}  // namespace earl::replay
