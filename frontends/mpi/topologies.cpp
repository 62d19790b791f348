// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/topologies.hpp"

#include <algorithm>
#include <cstdint>

#include "frontends/mpi/abi.hpp"
#include "frontends/mpi/errors.hpp"

namespace earl::mpi {

namespace {

constexpr std::int64_t most_nodes = 0x7fff'ffff;

/// `nodes` as a product of `count` factors, none above `most` or smaller than one after it, the
/// largest as small as can be. False: there is none.
bool factors(int nodes, std::span<int> into, int most) {
  if (into.empty()) return nodes == 1;
  for (int first = 1; first <= most && first <= nodes; ++first) {
    if (nodes % first != 0) continue;
    into[0] = first;
    if (factors(nodes / first, into.subspan(1), first)) return true;
  }
  return false;
}

}  // namespace

Grid Grid::of(std::span<int const> dims, int const* periods) {
  Grid grid{.dims = {dims.begin(), dims.end()}, .periodic = {}};
  std::int64_t size = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] <= 0)
      throw MpiError(ErrorClass::dims, "dims[{}] is {}: pass 1 or more", i, dims[i]);
    size = std::min(size * dims[i], most_nodes);
    grid.periodic.push_back(periods[i] != 0);
  }
  if (size == most_nodes) throw MpiError(ErrorClass::dims, "dims make {} or more nodes", size);
  return grid;
}

int Grid::size() const {
  int size = 1;
  for (auto const dim : dims) size *= dim;
  return size;
}

std::vector<int> Grid::coordinates(int rank) const {
  std::vector<int> result(dims.size());
  for (std::size_t i = dims.size(); i-- > 0; rank /= dims[i]) result[i] = rank % dims[i];
  return result;
}

int Grid::rank_of(std::span<int const> coordinates) const {
  int rank = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    int at = coordinates[i];
    if (periodic[i]) at = (at % dims[i] + dims[i]) % dims[i];
    if (at < 0 || at >= dims[i])
      throw MpiError(ErrorClass::arg, "coords[{}] is {}: that dimension has 0 to {}", i, at,
                     dims[i] - 1);
    rank = rank * dims[i] + at;
  }
  return rank;
}

int Grid::neighbour(int rank, std::size_t dimension, long steps) const {
  auto place = coordinates(rank);
  long const size = dims[dimension];
  long const at = place[dimension] + steps;
  if (!periodic[dimension] && (at < 0 || at >= size)) return MPI_PROC_NULL;
  place[dimension] = static_cast<int>((at % size + size) % size);
  return rank_of(place);
}

Grid Grid::without_fixed(std::span<int const> remain) const {
  Grid rest;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (remain[i] == 0) continue;
    rest.dims.push_back(dims[i]);
    rest.periodic.push_back(periodic[i]);
  }
  return rest;
}

Graph Graph::of(std::span<int const> index, int const* edges) {
  int last = 0;
  for (std::size_t i = 0; i < index.size(); last = index[i++])
    if (index[i] < last)
      throw MpiError(ErrorClass::arg, "index[{}] is {}, less than {} before it", i, index[i], last);
  Graph graph{.index = {index.begin(), index.end()}, .edges = {}};
  for (int i = 0; i < last; ++i) {
    if (edges[i] < 0 || edges[i] >= static_cast<int>(index.size()))
      throw MpiError(ErrorClass::arg, "edges[{}] is {}: the graph has nodes 0 to {}", i, edges[i],
                     static_cast<int>(index.size()) - 1);
    graph.edges.push_back(edges[i]);
  }
  return graph;
}

std::span<int const> Graph::neighbours(int rank) const {
  auto const at = static_cast<std::size_t>(rank);
  auto const begin = static_cast<std::size_t>(at == 0 ? 0 : index[at - 1]);
  return std::span{edges}.subspan(begin, static_cast<std::size_t>(index[at]) - begin);
}

void fill_dimensions(int nodes, std::span<int> dims) {
  if (nodes <= 0) throw MpiError(ErrorClass::dims, "nnodes is {}: pass 1 or more", nodes);
  std::int64_t fixed = 1;
  for (auto const dim : dims) {
    if (dim < 0) throw MpiError(ErrorClass::dims, "a dimension is {}: pass 0 or more", dim);
    if (dim > 0) fixed = std::min(fixed * dim, most_nodes + 1);
  }
  std::vector<int> free(static_cast<std::size_t>(std::ranges::count(dims, 0)));
  auto const rest = static_cast<int>(nodes / fixed);
  if (nodes % fixed != 0 || !factors(rest, free, rest))
    throw MpiError(ErrorClass::dims, "nnodes is {}: the dimensions given make {}, no part of it",
                   nodes, fixed);
  auto next = free.begin();
  for (auto& dim : dims)
    if (dim == 0) dim = *next++;
}

}  // namespace earl::mpi
