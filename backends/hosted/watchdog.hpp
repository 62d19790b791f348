// SPDX-License-Identifier: BSD-3-Clause
/// Small processes beside EXEC, in sessions of their own, so that nothing is left of a launcher and
/// its files whichever process is killed.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "generic/system/descriptor.hpp"

namespace earl::hosted_backend {

struct WatchedLauncher {
  std::vector<std::string> command;   ///< the launcher and its arguments
  std::vector<std::string> settings;  ///< `NAME=value`, for its environment
  std::string hidden;                 ///< prefix of variables that it must not see; empty: none
  std::string folder;                 ///< for its files; removed when it has ended
  int errors = -1;                    ///< its standard error
};

/// Starts both; gives the watchdog's process id, which is also that of their group. The watchdog
/// ends after the launcher. Throws Error when the system has no room for it.
pid_t start_watchdog(WatchedLauncher const& watched);

/// A folder that is removed with this, or when the process that has it has ended, however.
class KeptFolder {
 public:
  /// Takes it over. Throws Error when the system has no room for a watchdog.
  explicit KeptFolder(std::string path);
  ~KeptFolder();
  KeptFolder(KeptFolder const&) = delete;
  KeptFolder& operator=(KeptFolder const&) = delete;

  std::string const& path() const { return path_; }

 private:
  std::string const path_;
  /// The end of a pipe, which no other process has: the watchdog waits until it is closed.
  Descriptor watchdog_pipe_;
  pid_t watchdog_ = 0;
};

}  // namespace earl::hosted_backend
