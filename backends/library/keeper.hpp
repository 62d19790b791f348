/// A small process between EXEC and the launcher, so that nothing is left of it whoever is killed.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace earl::library_machine {

struct Keeping {
  std::vector<std::string> command;   ///< the launcher and its arguments
  std::vector<std::string> settings;  ///< `NAME=value`, for its environment
  std::string hidden;                 ///< with what variables begin that it must not see; empty: none
  std::string folder;                 ///< for its files; removed when it has ended
  int errors = -1;                    ///< for what it says on standard error
};

/// Starts both; gives the keeper's process id, which is also that of their group. The keeper ends
/// after the launcher. Throws Error when the system has no room for it.
pid_t start_keeper(Keeping const& what);

}  // namespace earl::library_machine
