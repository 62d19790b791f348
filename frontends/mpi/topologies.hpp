// SPDX-License-Identifier: BSD-3-Clause
/// Where the members of a communicator stand: in a grid, or in a graph.
#pragma once

#include <span>
#include <vector>

#include "frontends/mpi/counted.hpp"

namespace earl::mpi {

/// Ranks are in row-major order.
struct Grid {
  std::vector<int> dims{};
  std::vector<bool> periodic{};

  /// Members of the whole grid. Class DIMS or ARG: it is none.
  static Grid of(std::span<int const> dims, int const* periods);
  int size() const;
  std::vector<int> coordinates(int rank) const;
  /// Class ARG: outside, in a dimension that is not periodic.
  int rank_of(std::span<int const> coordinates) const;
  /// The rank that is `steps` further in that dimension; MPI_PROC_NULL: there is none.
  int neighbour(int rank, std::size_t dimension, long steps) const;
  /// The grid of the remaining dimensions alone.
  Grid without_fixed(std::span<int const> remain) const;
};

/// A graph as in MPI_Graph_create.
struct Graph {
  std::vector<int> index{};
  std::vector<int> edges{};

  /// Classes ARG and TOPOLOGY: it is none.
  static Graph of(std::span<int const> index, int const* edges);
  std::span<int const> neighbours(int rank) const;
};

struct Topology final : Counted {
  bool is_grid = true;
  Grid grid{};
  Graph graph{};
};

/// Fills the zeroes of `dims` so that their product is `nodes`, as equal as possible and none
/// smaller than one after it. Class DIMS.
void fill_dimensions(int nodes, std::span<int> dims);

}  // namespace earl::mpi
