/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective communication and its operations. A user's operation has the same shape in both
 * languages: all by reference, no error code. */
#include "fortran.h"

ROUTINE(barrier, BARRIER, (In *comm, Int *ierror)) { *ierror = MPI_Barrier(*comm); }

ROUTINE(bcast, BCAST, (void *buf, In *count, In *type, In *root, In *comm, Int *ierror))
{
  *ierror = MPI_Bcast(buffer_of(buf), *count, *type, *root, *comm);
}

ROUTINE(gather, GATHER,
        (void *out, In *out_count, In *out_type, void *in, In *in_count, In *in_type, In *root,
         In *comm, Int *ierror))
{
  *ierror = MPI_Gather(buffer_of(out), *out_count, *out_type, buffer_of(in), *in_count, *in_type,
                       *root, *comm);
}

ROUTINE(gatherv, GATHERV,
        (void *out, In *out_count, In *out_type, void *in, In *in_counts, In *places, In *in_type,
         In *root, In *comm, Int *ierror))
{
  *ierror = MPI_Gatherv(buffer_of(out), *out_count, *out_type, buffer_of(in), in_counts, places,
                        *in_type, *root, *comm);
}

ROUTINE(scatter, SCATTER,
        (void *out, In *out_count, In *out_type, void *in, In *in_count, In *in_type, In *root,
         In *comm, Int *ierror))
{
  *ierror = MPI_Scatter(buffer_of(out), *out_count, *out_type, buffer_of(in), *in_count, *in_type,
                        *root, *comm);
}

ROUTINE(scatterv, SCATTERV,
        (void *out, In *out_counts, In *places, In *out_type, void *in, In *in_count, In *in_type,
         In *root, In *comm, Int *ierror))
{
  *ierror = MPI_Scatterv(buffer_of(out), out_counts, places, *out_type, buffer_of(in), *in_count,
                         *in_type, *root, *comm);
}

ROUTINE(allgather, ALLGATHER,
        (void *out, In *out_count, In *out_type, void *in, In *in_count, In *in_type, In *comm,
         Int *ierror))
{
  *ierror = MPI_Allgather(buffer_of(out), *out_count, *out_type, buffer_of(in), *in_count,
                          *in_type, *comm);
}

ROUTINE(allgatherv, ALLGATHERV,
        (void *out, In *out_count, In *out_type, void *in, In *in_counts, In *places, In *in_type,
         In *comm, Int *ierror))
{
  *ierror = MPI_Allgatherv(buffer_of(out), *out_count, *out_type, buffer_of(in), in_counts, places,
                           *in_type, *comm);
}

ROUTINE(alltoall, ALLTOALL,
        (void *out, In *out_count, In *out_type, void *in, In *in_count, In *in_type, In *comm,
         Int *ierror))
{
  *ierror = MPI_Alltoall(buffer_of(out), *out_count, *out_type, buffer_of(in), *in_count, *in_type,
                         *comm);
}

ROUTINE(alltoallv, ALLTOALLV,
        (void *out, In *out_counts, In *out_places, In *out_type, void *in, In *in_counts,
         In *in_places, In *in_type, In *comm, Int *ierror))
{
  *ierror = MPI_Alltoallv(buffer_of(out), out_counts, out_places, *out_type, buffer_of(in),
                          in_counts, in_places, *in_type, *comm);
}

ROUTINE(alltoallw, ALLTOALLW,
        (void *out, In *out_counts, In *out_places, In *out_types, void *in, In *in_counts,
         In *in_places, In *in_types, In *comm, Int *ierror))
{
  *ierror = MPI_Alltoallw(buffer_of(out), out_counts, out_places, out_types, buffer_of(in),
                          in_counts, in_places, in_types, *comm);
}

ROUTINE(reduce, REDUCE,
        (void *in, void *out, In *count, In *type, In *op, In *root, In *comm, Int *ierror))
{
  *ierror = MPI_Reduce(buffer_of(in), buffer_of(out), *count, *type, *op, *root, *comm);
}

ROUTINE(allreduce, ALLREDUCE,
        (void *in, void *out, In *count, In *type, In *op, In *comm, Int *ierror))
{
  *ierror = MPI_Allreduce(buffer_of(in), buffer_of(out), *count, *type, *op, *comm);
}

ROUTINE(reduce_scatter, REDUCE_SCATTER,
        (void *in, void *out, In *counts, In *type, In *op, In *comm, Int *ierror))
{
  *ierror = MPI_Reduce_scatter(buffer_of(in), buffer_of(out), counts, *type, *op, *comm);
}

ROUTINE(scan, SCAN, (void *in, void *out, In *count, In *type, In *op, In *comm, Int *ierror))
{
  *ierror = MPI_Scan(buffer_of(in), buffer_of(out), *count, *type, *op, *comm);
}

ROUTINE(exscan, EXSCAN, (void *in, void *out, In *count, In *type, In *op, In *comm, Int *ierror))
{
  *ierror = MPI_Exscan(buffer_of(in), buffer_of(out), *count, *type, *op, *comm);
}

ROUTINE(reduce_scatter_block, REDUCE_SCATTER_BLOCK,
        (void *in, void *out, In *count, In *type, In *op, In *comm, Int *ierror))
{
  *ierror = MPI_Reduce_scatter_block(buffer_of(in), buffer_of(out), *count, *type, *op, *comm);
}

ROUTINE(reduce_local, REDUCE_LOCAL,
        (void *in, void *inout, In *count, In *type, In *op, Int *ierror))
{
  *ierror = MPI_Reduce_local(in, inout, *count, *type, *op);
}

ROUTINE(op_create, OP_CREATE,
        (MPI_User_function *function, Logical *commutes, Int *op, Int *ierror))
{
  *ierror = MPI_Op_create(function, truth_of(commutes), op);
}

ROUTINE(op_free, OP_FREE, (Int *op, Int *ierror)) { *ierror = MPI_Op_free(op); }
