/* SPDX-License-Identifier: BSD-3-Clause */
/* Process topologies. Ranks, dimensions and coordinates count from 0 in both languages. */
#include "fortran.h"

#include <stdlib.h>

ROUTINE(cart_create, CART_CREATE,
        (In *comm, In *count, In *dims, Logical *periods, Logical *reorder, Int *result,
         Int *ierror))
{
  int *truths = truths_of(periods, count);
  *ierror = truths ? MPI_Cart_create(*comm, *count, dims, truths, truth_of(reorder), result)
                   : fail(MPI_ERR_OTHER);
  free(truths);
}

ROUTINE(dims_create, DIMS_CREATE, (In *nodes, In *count, Int *dims, Int *ierror))
{
  *ierror = MPI_Dims_create(*nodes, *count, dims);
}

ROUTINE(graph_create, GRAPH_CREATE,
        (In *comm, In *nodes, In *index, In *edges, Logical *reorder, Int *result, Int *ierror))
{
  *ierror = MPI_Graph_create(*comm, *nodes, index, edges, truth_of(reorder), result);
}

ROUTINE(topo_test, TOPO_TEST, (In *comm, Int *status, Int *ierror))
{
  *ierror = MPI_Topo_test(*comm, status);
}

ROUTINE(graphdims_get, GRAPHDIMS_GET, (In *comm, Int *nodes, Int *edges, Int *ierror))
{
  *ierror = MPI_Graphdims_get(*comm, nodes, edges);
}

ROUTINE(graph_get, GRAPH_GET,
        (In *comm, In *most_index, In *most_edges, Int *index, Int *edges, Int *ierror))
{
  *ierror = MPI_Graph_get(*comm, *most_index, *most_edges, index, edges);
}

ROUTINE(cartdim_get, CARTDIM_GET, (In *comm, Int *count, Int *ierror))
{
  *ierror = MPI_Cartdim_get(*comm, count);
}

ROUTINE(cart_get, CART_GET,
        (In *comm, In *most, Int *dims, Logical *periods, Int *coords, Int *ierror))
{
  Int i;
  int count = 0;
  *ierror = MPI_Cart_get(*comm, *most, dims, periods, coords);
  if (*ierror != MPI_SUCCESS || MPI_Cartdim_get(*comm, &count) != MPI_SUCCESS)
    return;
  for (i = 0; i < *most && i < count; i++)
    periods[i] = logical_of(periods[i]);
}

ROUTINE(cart_rank, CART_RANK, (In *comm, In *coords, Int *rank, Int *ierror))
{
  *ierror = MPI_Cart_rank(*comm, coords, rank);
}

ROUTINE(cart_coords, CART_COORDS, (In *comm, In *rank, In *most, Int *coords, Int *ierror))
{
  *ierror = MPI_Cart_coords(*comm, *rank, *most, coords);
}

ROUTINE(graph_neighbors_count, GRAPH_NEIGHBORS_COUNT,
        (In *comm, In *rank, Int *count, Int *ierror))
{
  *ierror = MPI_Graph_neighbors_count(*comm, *rank, count);
}

ROUTINE(graph_neighbors, GRAPH_NEIGHBORS,
        (In *comm, In *rank, In *most, Int *neighbors, Int *ierror))
{
  *ierror = MPI_Graph_neighbors(*comm, *rank, *most, neighbors);
}

ROUTINE(cart_shift, CART_SHIFT,
        (In *comm, In *direction, In *distance, Int *source, Int *dest, Int *ierror))
{
  *ierror = MPI_Cart_shift(*comm, *direction, *distance, source, dest);
}

ROUTINE(cart_sub, CART_SUB, (In *comm, Logical *remain, Int *result, Int *ierror))
{
  int count = 0;
  int *truths;
  *ierror = MPI_Cartdim_get(*comm, &count);
  if (*ierror != MPI_SUCCESS)
    return;
  truths = truths_of(remain, &count);
  *ierror = truths ? MPI_Cart_sub(*comm, truths, result) : fail(MPI_ERR_OTHER);
  free(truths);
}

ROUTINE(cart_map, CART_MAP,
        (In *comm, In *count, In *dims, Logical *periods, Int *rank, Int *ierror))
{
  int *truths = truths_of(periods, count);
  *ierror = truths ? MPI_Cart_map(*comm, *count, dims, truths, rank) : fail(MPI_ERR_OTHER);
  free(truths);
}

ROUTINE(graph_map, GRAPH_MAP, (In *comm, In *nodes, In *index, In *edges, Int *rank, Int *ierror))
{
  *ierror = MPI_Graph_map(*comm, *nodes, index, edges, rank);
}
