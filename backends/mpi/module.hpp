/// The module with MPI in it, loaded by who runs on MPI only, and what MPI_Init finds around it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/mpi/native.h"

namespace earl::mpi_machine {

/// Loads the one at `path`, for good. Throws Error with the loader's reason.
earl_mpi_native const& load_module(std::string const& path);

/// What Launch wrote into a place's memory: `NAME=value`, each with a final zero. Throws Error.
std::vector<std::string> read_variables(int memory);

/// Variables that are set as long as this lives, and are then as the program had them.
class LentVariables {
 public:
  /// Each `NAME=value`.
  explicit LentVariables(std::vector<std::string> const& variables);
  ~LentVariables();
  LentVariables(LentVariables const&) = delete;
  LentVariables& operator=(LentVariables const&) = delete;

 private:
  struct Before {
    std::string name;
    bool set = false;
    std::string value{};
  };
  std::vector<Before> before_;
};

}  // namespace earl::mpi_machine
