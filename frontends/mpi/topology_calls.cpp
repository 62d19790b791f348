// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 6.5: virtual topologies.
#include <algorithm>

#include "frontends/mpi/call.hpp"
#include "frontends/mpi/new_communicators.hpp"

namespace earl::mpi {

namespace {

/// Class TOPOLOGY.
Topology const& topology(State& me, Handle comm, bool grid) {
  Communicator const& found = me.intracommunicator(comm);
  if (!found.topology || found.topology->is_grid != grid)
    throw MpiError(ErrorClass::topology, "comm is {}, which has no {} topology", found.to_text(),
                   grid ? "cartesian" : "graph");
  return *found.topology;
}
Grid const& grid(State& me, Handle comm) { return topology(me, comm, true).grid; }
Graph const& graph(State& me, Handle comm) { return topology(me, comm, false).graph; }

/// A rank of `comm`'s; class RANK.
int checked(State& me, Handle comm, int rank) {
  Communicator const& found = me.communicator(comm);
  if (!found.local->holds(rank)) refuse_rank(found, rank, "rank");
  return rank;
}

/// Room for `needed` numbers; class ARG.
void check_room(int most, std::size_t needed, char const* argument) {
  if (most < 0 || static_cast<std::size_t>(most) < needed)
    throw MpiError(ErrorClass::arg, "{} is {}: pass {} or more", argument, most, needed);
}

Grid grid_of(int ndims, int const* dims, int const* periods) {
  auto const sizes = checked_array(ndims, dims, "dims");
  checked_array(ndims, periods, "periods");
  return Grid::of(sizes, periods);
}

Graph graph_of(int nnodes, int const* index, int const* edges) {
  auto const ends = checked_array(nnodes, index, "index");
  if (!ends.empty() && ends.back() > 0) require(edges, "edges");
  return Graph::of(ends, edges);
}

/// Class ARG: more nodes than members.
void check_fits(Communicator const& comm, int nodes) {
  if (nodes > comm.local->size())
    throw MpiError(ErrorClass::arg,
                   "the topology has {} nodes: {} has {} members, pass a smaller "
                   "one",
                   nodes, comm.to_text(), comm.local->size());
}

void create(State& me, Communicator const& comm, int nodes, Ref<Topology> const& shape,
            Handle* result) {
  Handle& newcomm = require(result, "newcomm");
  check_fits(comm, nodes);
  auto* const made = first_members(me, comm, nodes);
  if (made) made->topology = shape;
  newcomm = made ? made->handle : MPI_COMM_NULL;
}

Ref<Topology> shape_of(Grid grid) {
  auto shape = make<Topology>();
  shape->grid = std::move(grid);
  return shape;
}

Ref<Topology> shape_of(Graph graph) {
  auto shape = make<Topology>();
  shape->is_grid = false;
  shape->graph = std::move(graph);
  return shape;
}

int kind(Communicator const& comm) {
  if (!comm.topology) return MPI_UNDEFINED;
  return comm.topology->is_grid ? MPI_CART : MPI_GRAPH;
}

void describe(State& me, Handle comm, int maxdims, int* dims, int* periods, int* coords) {
  Grid const& here = grid(me, comm);
  check_room(maxdims, here.dims.size(), "maxdims");
  auto const place = here.coordinates(me.communicator(comm).local->me());
  for (std::size_t i = 0; i < here.dims.size(); ++i) {
    (&require(dims, "dims"))[i] = here.dims[i];
    (&require(periods, "periods"))[i] = here.periodic[i] ? 1 : 0;
    (&require(coords, "coords"))[i] = place[i];
  }
}

/// The place of the caller in a topology of so many nodes.
int mapped(Communicator const& comm, int nodes) {
  check_fits(comm, nodes);
  return comm.local->me() < nodes ? comm.local->me() : MPI_UNDEFINED;
}

void shift(State& me, Handle comm, int direction, int disp, int* source, int* dest) {
  Grid const& here = grid(me, comm);
  if (direction < 0 || static_cast<std::size_t>(direction) >= here.dims.size())
    throw MpiError(ErrorClass::arg, "direction is {}: {} has dimensions 0 to {}", direction,
                   me.communicator(comm).to_text(), static_cast<int>(here.dims.size()) - 1);
  int const rank = me.communicator(comm).local->me();
  auto const along = static_cast<std::size_t>(direction);
  require(source, "rank_source") = here.neighbour(rank, along, -long{disp});
  require(dest, "rank_dest") = here.neighbour(rank, along, disp);
}

/// One slice for each set of coordinates in the dimensions that are dropped.
void slice(State& me, Handle comm, int const* remain, Handle* result) {
  Handle& newcomm = require(result, "newcomm");
  Grid const& here = grid(me, comm);
  auto const kept = checked_array(static_cast<int>(here.dims.size()), remain, "remain_dims");
  Communicator const& whole = me.communicator(comm);
  auto const place = here.coordinates(whole.local->me());
  int color = 0, key = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    int& number = kept[i] != 0 ? key : color;
    number = number * here.dims[i] + place[i];
  }
  auto const shape = shape_of(here.without_fixed(kept));
  Communicator& part = *split(me, whole, color, key);
  part.topology = shape;
  newcomm = part.handle;
}

void copy_out(std::span<int const> from, int most, int* into, char const* room,
              char const* argument) {
  check_room(most, from.size(), room);
  if (!from.empty()) std::ranges::copy(from, &require(into, argument));
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::require;
using mpi::State;

extern "C" int PMPI_Cart_create(MPI_Comm comm_old, int ndims, int const* dims, int const* periods,
                                int, MPI_Comm* comm_cart) {
  return mpi::call("MPI_Cart_create", comm_old, [&](State& me) {
    auto const& comm = me.intracommunicator(comm_old, "comm_old");
    auto grid = mpi::grid_of(ndims, dims, periods);
    int const size = grid.size();
    mpi::create(me, comm, size, mpi::shape_of(std::move(grid)), comm_cart);
  });
}
EARL_MPI(Cart_create)

extern "C" int PMPI_Dims_create(int nnodes, int ndims, int* dims) {
  return mpi::call("MPI_Dims_create", MPI_COMM_WORLD, [&](State&) {
    mpi::fill_dimensions(nnodes, mpi::checked_array(ndims, dims, "dims", mpi::ErrorClass::dims));
  });
}
EARL_MPI(Dims_create)

extern "C" int PMPI_Graph_create(MPI_Comm comm_old, int nnodes, int const* index, int const* edges,
                                 int, MPI_Comm* comm_graph) {
  return mpi::call("MPI_Graph_create", comm_old, [&](State& me) {
    auto const& comm = me.intracommunicator(comm_old, "comm_old");
    auto graph = mpi::graph_of(nnodes, index, edges);
    mpi::create(me, comm, nnodes, mpi::shape_of(std::move(graph)), comm_graph);
  });
}
EARL_MPI(Graph_create)

extern "C" int PMPI_Topo_test(MPI_Comm comm, int* status) {
  return mpi::call("MPI_Topo_test", comm, [&](State& me) {
    require(status, "status") = mpi::kind(me.communicator(comm));
  });
}
EARL_MPI(Topo_test)

extern "C" int PMPI_Graphdims_get(MPI_Comm comm, int* nnodes, int* nedges) {
  return mpi::call("MPI_Graphdims_get", comm, [&](State& me) {
    auto const& graph = mpi::graph(me, comm);
    require(nnodes, "nnodes") = static_cast<int>(graph.index.size());
    require(nedges, "nedges") = static_cast<int>(graph.edges.size());
  });
}
EARL_MPI(Graphdims_get)

extern "C" int PMPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int* index, int* edges) {
  return mpi::call("MPI_Graph_get", comm, [&](State& me) {
    auto const& graph = mpi::graph(me, comm);
    mpi::copy_out(graph.index, maxindex, index, "maxindex", "index");
    mpi::copy_out(graph.edges, maxedges, edges, "maxedges", "edges");
  });
}
EARL_MPI(Graph_get)

extern "C" int PMPI_Cartdim_get(MPI_Comm comm, int* ndims) {
  return mpi::call("MPI_Cartdim_get", comm, [&](State& me) {
    require(ndims, "ndims") = static_cast<int>(mpi::grid(me, comm).dims.size());
  });
}
EARL_MPI(Cartdim_get)

extern "C" int PMPI_Cart_get(MPI_Comm comm, int maxdims, int* dims, int* periods, int* coords) {
  return mpi::call("MPI_Cart_get", comm,
                   [&](State& me) { mpi::describe(me, comm, maxdims, dims, periods, coords); });
}
EARL_MPI(Cart_get)

extern "C" int PMPI_Cart_rank(MPI_Comm comm, int const* coords, int* rank) {
  return mpi::call("MPI_Cart_rank", comm, [&](State& me) {
    auto const& grid = mpi::grid(me, comm);
    auto const place = mpi::checked_array(static_cast<int>(grid.dims.size()), coords, "coords");
    require(rank, "rank") = grid.rank_of(place);
  });
}
EARL_MPI(Cart_rank)

extern "C" int PMPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int* coords) {
  return mpi::call("MPI_Cart_coords", comm, [&](State& me) {
    auto const& grid = mpi::grid(me, comm);
    auto const place = grid.coordinates(mpi::checked(me, comm, rank));
    mpi::copy_out(place, maxdims, coords, "maxdims", "coords");
  });
}
EARL_MPI(Cart_coords)

extern "C" int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* nneighbors) {
  return mpi::call("MPI_Graph_neighbors_count", comm, [&](State& me) {
    auto const& graph = mpi::graph(me, comm);
    auto const all = graph.neighbours(mpi::checked(me, comm, rank));
    require(nneighbors, "nneighbors") = static_cast<int>(all.size());
  });
}
EARL_MPI(Graph_neighbors_count)

extern "C" int PMPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int* neighbors) {
  return mpi::call("MPI_Graph_neighbors", comm, [&](State& me) {
    auto const& graph = mpi::graph(me, comm);
    mpi::copy_out(graph.neighbours(mpi::checked(me, comm, rank)), maxneighbors, neighbors,
                  "maxneighbors", "neighbors");
  });
}
EARL_MPI(Graph_neighbors)

extern "C" int PMPI_Cart_shift(MPI_Comm comm, int direction, int disp, int* rank_source,
                               int* rank_dest) {
  return mpi::call("MPI_Cart_shift", comm, [&](State& me) {
    mpi::shift(me, comm, direction, disp, rank_source, rank_dest);
  });
}
EARL_MPI(Cart_shift)

extern "C" int PMPI_Cart_sub(MPI_Comm comm, int const* remain_dims, MPI_Comm* newcomm) {
  return mpi::call("MPI_Cart_sub", comm,
                   [&](State& me) { mpi::slice(me, comm, remain_dims, newcomm); });
}
EARL_MPI(Cart_sub)

extern "C" int PMPI_Cart_map(MPI_Comm comm, int ndims, int const* dims, int const* periods,
                             int* newrank) {
  return mpi::call("MPI_Cart_map", comm, [&](State& me) {
    auto const grid = mpi::grid_of(ndims, dims, periods);
    require(newrank, "newrank") = mpi::mapped(me.intracommunicator(comm), grid.size());
  });
}
EARL_MPI(Cart_map)

extern "C" int PMPI_Graph_map(MPI_Comm comm, int nnodes, int const* index, int const* edges,
                              int* newrank) {
  return mpi::call("MPI_Graph_map", comm, [&](State& me) {
    static_cast<void>(mpi::graph_of(nnodes, index, edges));
    require(newrank, "newrank") = mpi::mapped(me.intracommunicator(comm), nnodes);
  });
}
EARL_MPI(Graph_map)
