// SPDX-License-Identifier: BSD-3-Clause
/// A small process between EXEC and its PVM daemon, so that nothing is left of the daemon whichever
/// process of the three is killed.
#pragma once

#include <sys/types.h>

#include <string>

namespace earl::pvm_backend {

struct WatchedDaemon {
  std::string daemon;      ///< path of pvmd
  std::string folder;      ///< its own; removed at the end
  int watchdog_pipe = -1;  ///< the read end of a pipe: the daemon is wanted until it ends
  int output = -1;         ///< the daemon's standard output
};

/// Name of the file with the daemon's standard error, in the directory.
inline constexpr char watchdog_error_file[] = "errors";

/// Starts it; gives its process id. Throws Error when the system has no room for it.
pid_t start_watchdog(WatchedDaemon const& watched);

}  // namespace earl::pvm_backend
