// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/call.hpp"

namespace earl::mpi {

int failed(Process* process, char const* name, Handle comm, Error const& error) {
  return process ? state_of(*process).failed(name, comm, error) : code_of(class_of(error));
}

}  // namespace earl::mpi
