// SPDX-License-Identifier: BSD-3-Clause
/// Loading the library makes the process a member of its job: MPI_Init has its place to take.
#include "exec/runtime/boot.hpp"
#include "frontends/mpi/abi.hpp"

namespace {

[[gnu::constructor]] void join_job() { earl::boot::load(earl::mpi::front_end); }

}  // namespace
