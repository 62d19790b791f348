// SPDX-License-Identifier: BSD-3-Clause
/// Collectives of other kinds.
#include "frontends/mpi/absent/absent.hpp"

namespace {

constexpr auto neighbors = "neighbourhood collectives came with MPI-3, and are not here";
constexpr auto nonblocking = "nonblocking collectives came with MPI-3, and are not here";
constexpr auto persistent = "persistent collectives came with MPI-4, and are not here";

}  // namespace

EARL_MPI_ABSENT(MPI_Dist_graph_create, neighbors)
EARL_MPI_ABSENT(MPI_Dist_graph_create_adjacent, neighbors)
EARL_MPI_ABSENT(MPI_Dist_graph_neighbors, neighbors)
EARL_MPI_ABSENT(MPI_Dist_graph_neighbors_count, neighbors)
EARL_MPI_ABSENT(MPI_Ineighbor_allgather, neighbors)
EARL_MPI_ABSENT(MPI_Ineighbor_allgatherv, neighbors)
EARL_MPI_ABSENT(MPI_Ineighbor_alltoall, neighbors)
EARL_MPI_ABSENT(MPI_Ineighbor_alltoallv, neighbors)
EARL_MPI_ABSENT(MPI_Ineighbor_alltoallw, neighbors)
EARL_MPI_ABSENT(MPI_Neighbor_allgather, neighbors)
EARL_MPI_ABSENT(MPI_Neighbor_allgather_init, neighbors)
EARL_MPI_ABSENT(MPI_Neighbor_allgatherv, neighbors)
EARL_MPI_ABSENT(MPI_Neighbor_allgatherv_init, neighbors)
EARL_MPI_ABSENT(MPI_Neighbor_alltoall, neighbors)
EARL_MPI_ABSENT(MPI_Neighbor_alltoall_init, neighbors)
EARL_MPI_ABSENT(MPI_Neighbor_alltoallv, neighbors)
EARL_MPI_ABSENT(MPI_Neighbor_alltoallv_init, neighbors)
EARL_MPI_ABSENT(MPI_Neighbor_alltoallw, neighbors)
EARL_MPI_ABSENT(MPI_Neighbor_alltoallw_init, neighbors)

EARL_MPI_ABSENT(MPI_Comm_idup, nonblocking)
EARL_MPI_ABSENT(MPI_Iallgather, nonblocking)
EARL_MPI_ABSENT(MPI_Iallgatherv, nonblocking)
EARL_MPI_ABSENT(MPI_Iallreduce, nonblocking)
EARL_MPI_ABSENT(MPI_Ialltoall, nonblocking)
EARL_MPI_ABSENT(MPI_Ialltoallv, nonblocking)
EARL_MPI_ABSENT(MPI_Ialltoallw, nonblocking)
EARL_MPI_ABSENT(MPI_Ibarrier, nonblocking)
EARL_MPI_ABSENT(MPI_Ibcast, nonblocking)
EARL_MPI_ABSENT(MPI_Iexscan, nonblocking)
EARL_MPI_ABSENT(MPI_Igather, nonblocking)
EARL_MPI_ABSENT(MPI_Igatherv, nonblocking)
EARL_MPI_ABSENT(MPI_Ireduce, nonblocking)
EARL_MPI_ABSENT(MPI_Ireduce_scatter, nonblocking)
EARL_MPI_ABSENT(MPI_Ireduce_scatter_block, nonblocking)
EARL_MPI_ABSENT(MPI_Iscan, nonblocking)
EARL_MPI_ABSENT(MPI_Iscatter, nonblocking)
EARL_MPI_ABSENT(MPI_Iscatterv, nonblocking)

EARL_MPI_ABSENT(MPI_Allgather_init, persistent)
EARL_MPI_ABSENT(MPI_Allgatherv_init, persistent)
EARL_MPI_ABSENT(MPI_Allreduce_init, persistent)
EARL_MPI_ABSENT(MPI_Alltoall_init, persistent)
EARL_MPI_ABSENT(MPI_Alltoallv_init, persistent)
EARL_MPI_ABSENT(MPI_Alltoallw_init, persistent)
EARL_MPI_ABSENT(MPI_Barrier_init, persistent)
EARL_MPI_ABSENT(MPI_Bcast_init, persistent)
EARL_MPI_ABSENT(MPI_Exscan_init, persistent)
EARL_MPI_ABSENT(MPI_Gather_init, persistent)
EARL_MPI_ABSENT(MPI_Gatherv_init, persistent)
EARL_MPI_ABSENT(MPI_Reduce_init, persistent)
EARL_MPI_ABSENT(MPI_Reduce_scatter_block_init, persistent)
EARL_MPI_ABSENT(MPI_Reduce_scatter_init, persistent)
EARL_MPI_ABSENT(MPI_Scan_init, persistent)
EARL_MPI_ABSENT(MPI_Scatter_init, persistent)
EARL_MPI_ABSENT(MPI_Scatterv_init, persistent)
