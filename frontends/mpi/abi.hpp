// SPDX-License-Identifier: BSD-3-Clause
/// The binary interface that this library is compiled for: mpi.h, and the contents of handles,
/// statuses and keys of predefined attributes. Everything else is the same in each.
#pragma once

#ifdef EARL_MPI_STANDARD_ABI
#include "frontends/mpi_abi/abi.hpp"
#else
#include "frontends/mpi/mpich_abi.hpp"
#endif
