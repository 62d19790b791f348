/// A small process between EXEC and mpiexec, so that nothing is left of it whoever is killed.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace earl::mpi_machine {

struct Keeping {
  std::vector<std::string> command;   ///< mpiexec and its arguments
  std::vector<std::string> settings;  ///< `NAME=value`, for its environment
  std::string folder;                 ///< for its files; removed when it has ended
  int errors = -1;                    ///< for what it says on standard error
};

/// Starts both; gives the keeper's process id, which is also that of their group. The keeper ends
/// after mpiexec. Throws Error when the system has no room for it.
pid_t start_keeper(Keeping const& what);

}  // namespace earl::mpi_machine
