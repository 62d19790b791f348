/* Names of MPI-1 that MPI-3 removed, for sources of that time that are compiled with the standard's
 * header. */
#include <mpi.h>

#define MPI_Handler_function MPI_Comm_errhandler_function
#define MPI_Address MPI_Get_address
#define MPI_Errhandler_create MPI_Comm_create_errhandler
#define MPI_Errhandler_get MPI_Comm_get_errhandler
#define MPI_Errhandler_set MPI_Comm_set_errhandler
#define MPI_Type_hindexed MPI_Type_create_hindexed
#define MPI_Type_hvector MPI_Type_create_hvector
#define MPI_Type_struct MPI_Type_create_struct

static int MPI_Type_extent(MPI_Datatype type, MPI_Aint *extent)
{
  MPI_Aint lower;
  return MPI_Type_get_extent(type, &lower, extent);
}

static int MPI_Type_lb(MPI_Datatype type, MPI_Aint *lower)
{
  MPI_Aint extent;
  return MPI_Type_get_extent(type, lower, &extent);
}

static int MPI_Type_ub(MPI_Datatype type, MPI_Aint *upper)
{
  MPI_Aint lower, extent;
  int code = MPI_Type_get_extent(type, &lower, &extent);
  if (code != MPI_SUCCESS) return code;
  if (!upper) return MPI_Type_get_extent(type, &lower, upper);
  *upper = lower + extent;
  return MPI_SUCCESS;
}
/* SPDX-License-Identifier: BSD-3-Clause */
