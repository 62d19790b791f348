// SPDX-License-Identifier: BSD-3-Clause
/// The part of an array that a process of a grid has when the array is distributed as HPF does
/// (MPI-3, 4.1.4).
#pragma once

#include <span>

#include "frontends/mpi/typemap.hpp"

namespace earl::mpi {

/// The arguments of MPI_Type_create_darray that describe one dimension.
struct DistributedDimension {
  int size = 0;          ///< of the array
  int distribution = 0;  ///< MPI_DISTRIBUTE_BLOCK, _CYCLIC or _NONE
  int argument = 0;      ///< the block's size, or MPI_DISTRIBUTE_DFLT_DARG
  int processes = 0;     ///< of the grid
};

/// `dimensions` in the program's order; processes of the grid are numbered by row whatever `order`
/// is. Class ARG.
TypeMap distributed(std::span<DistributedDimension const> dimensions, int processes, int process,
                    int order, TypeMap const& old);

}  // namespace earl::mpi
