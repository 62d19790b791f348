/// EXEC's launcher: mpiexec, which starts a placeholder (`earl-mpi-place`) for each process of the
/// job. What MPI's launcher hands down to a placeholder goes on to the process, which EXEC starts.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "backends/mpi/library.hpp"
#include "generic/descriptor.hpp"

namespace earl::mpi_machine {

/// One process's place in MPI_COMM_WORLD.
struct Place {
  Descriptor line;       ///< to the placeholder, which ends when it is closed
  Descriptor variables;  ///< memory: `NAME=value`, each with a final zero, for MPI_Init
  Descriptor handed;     ///< PMI_FD; none: this launcher is found by its variables alone
};

class Launch {
 public:
  /// Waits until all places are taken. Throws Error when mpiexec will not start them.
  Launch(Library const& library, std::uint32_t processes);
  /// Ends mpiexec and everything it has started, and removes its folder.
  ~Launch();
  Launch(Launch const&) = delete;
  Launch& operator=(Launch const&) = delete;

  std::vector<Place> const& places() const { return places_; }
  /// Readable when mpiexec has ended.
  int ended_fd() const { return ended_.get(); }
  /// The last of what mpiexec has said on standard error; empty: nothing.
  std::string last_words() const;

 private:
  void start(std::string const& launcher, std::uint32_t processes);
  void take_places(int listener);
  void stop();
  [[noreturn]] void fail() const;

  Library const& library_;
  std::string folder_;
  pid_t keeper_ = 0;   ///< between EXEC and mpiexec; leads their group
  Descriptor ended_;   ///< its pidfd
  Descriptor errors_;  ///< a file: what mpiexec says
  std::vector<Place> places_;
};

}  // namespace earl::mpi_machine
