// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/absent/absent.hpp"

#include <unistd.h>

#include <cstdio>

#include "exec/runtime/boot.hpp"

namespace earl::mpi {

void refuse(char const* name, char const* why) {
  constexpr int other_error = 15;  // MPI_ERR_OTHER
  if (auto* const me = boot::process()) me->end(other_error, fmt::format("{}: {}", name, why));
  fmt::print(stderr, "earl: {}: {}\n", name, why);
  ::_exit(other_error);
}

}  // namespace earl::mpi
