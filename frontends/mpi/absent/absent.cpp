// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/absent/absent.hpp"

#include <unistd.h>

#include <cstdio>

#include "exec/runtime/boot.hpp"
#include "frontends/mpi/abi.hpp"

namespace earl::mpi {

void refuse(char const* name, char const* why) {
  if (auto* const me = boot::process()) me->end(MPI_ERR_OTHER, fmt::format("{}: {}", name, why));
  fmt::print(stderr, "earl: {}: {}\n", name, why);
  ::_exit(MPI_ERR_OTHER);
}

}  // namespace earl::mpi
