/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes and packing. Addresses are INTEGER in MPI-1, and of their own kind in the names that
 * came later. */
#include "fortran.h"

#include <stdlib.h>

ROUTINE(type_contiguous, TYPE_CONTIGUOUS, (In *count, In *old, Int *type, Int *ierror))
{
  *ierror = MPI_Type_contiguous(*count, *old, type);
}

ROUTINE(type_vector, TYPE_VECTOR,
        (In *count, In *length, In *stride, In *old, Int *type, Int *ierror))
{
  *ierror = MPI_Type_vector(*count, *length, *stride, *old, type);
}

ROUTINE(type_hvector, TYPE_HVECTOR,
        (In *count, In *length, In *stride, In *old, Int *type, Int *ierror))
{
  *ierror = MPI_Type_hvector(*count, *length, *stride, *old, type);
}

ROUTINE(type_create_hvector, TYPE_CREATE_HVECTOR,
        (In *count, In *length, MPI_Aint const *stride, In *old, Int *type, Int *ierror))
{
  *ierror = MPI_Type_create_hvector(*count, *length, *stride, *old, type);
}

ROUTINE(type_indexed, TYPE_INDEXED,
        (In *count, In *lengths, In *displacements, In *old, Int *type, Int *ierror))
{
  *ierror = MPI_Type_indexed(*count, lengths, displacements, *old, type);
}

ROUTINE(type_hindexed, TYPE_HINDEXED,
        (In *count, In *lengths, In *displacements, In *old, Int *type, Int *ierror))
{
  MPI_Aint *wide = addresses_of(displacements, count);
  *ierror = wide ? MPI_Type_hindexed(*count, lengths, wide, *old, type) : fail(MPI_ERR_OTHER);
  free(wide);
}

ROUTINE(type_create_hindexed, TYPE_CREATE_HINDEXED,
        (In *count, In *lengths, MPI_Aint const *displacements, In *old, Int *type, Int *ierror))
{
  *ierror = MPI_Type_create_hindexed(*count, lengths, displacements, *old, type);
}

ROUTINE(type_create_indexed_block, TYPE_CREATE_INDEXED_BLOCK,
        (In *count, In *length, In *displacements, In *old, Int *type, Int *ierror))
{
  *ierror = MPI_Type_create_indexed_block(*count, *length, displacements, *old, type);
}

ROUTINE(type_create_subarray, TYPE_CREATE_SUBARRAY,
        (In *count, In *sizes, In *parts, In *starts, In *order, In *old, Int *type, Int *ierror))
{
  *ierror = MPI_Type_create_subarray(*count, sizes, parts, starts, *order, *old, type);
}

ROUTINE(type_create_darray, TYPE_CREATE_DARRAY,
        (In *size, In *rank, In *count, In *sizes, In *distributions, In *arguments, In *processes,
         In *order, In *old, Int *type, Int *ierror))
{
  *ierror = MPI_Type_create_darray(*size, *rank, *count, sizes, distributions, arguments, processes,
                                   *order, *old, type);
}

ROUTINE(type_struct, TYPE_STRUCT,
        (In *count, In *lengths, In *displacements, In *types, Int *type, Int *ierror))
{
  MPI_Aint *wide = addresses_of(displacements, count);
  *ierror = wide ? MPI_Type_struct(*count, lengths, wide, types, type) : fail(MPI_ERR_OTHER);
  free(wide);
}

ROUTINE(type_create_struct, TYPE_CREATE_STRUCT,
        (In *count, In *lengths, MPI_Aint const *displacements, In *types, Int *type, Int *ierror))
{
  *ierror = MPI_Type_create_struct(*count, lengths, displacements, types, type);
}

ROUTINE(type_create_resized, TYPE_CREATE_RESIZED,
        (In *old, MPI_Aint const *lb, MPI_Aint const *extent, Int *type, Int *ierror))
{
  *ierror = MPI_Type_create_resized(*old, *lb, *extent, type);
}

ROUTINE(type_dup, TYPE_DUP, (In *old, Int *type, Int *ierror))
{
  *ierror = MPI_Type_dup(*old, type);
}

ROUTINE(address, ADDRESS, (void *location, Int *address, Int *ierror))
{
  *ierror = put_address(address, address_of(location));
}

ROUTINE(get_address, GET_ADDRESS, (void *location, MPI_Aint *address, Int *ierror))
{
  *address = address_of(location);
  *ierror = MPI_SUCCESS;
}

ROUTINE(type_extent, TYPE_EXTENT, (In *type, Int *extent, Int *ierror))
{
  MPI_Aint wide = 0;
  *ierror = MPI_Type_extent(*type, &wide);
  if (*ierror == MPI_SUCCESS)
    *ierror = put_address(extent, wide);
}

ROUTINE(type_lb, TYPE_LB, (In *type, Int *displacement, Int *ierror))
{
  MPI_Aint wide = 0;
  *ierror = MPI_Type_lb(*type, &wide);
  if (*ierror == MPI_SUCCESS)
    *ierror = put_address(displacement, wide);
}

ROUTINE(type_ub, TYPE_UB, (In *type, Int *displacement, Int *ierror))
{
  MPI_Aint wide = 0;
  *ierror = MPI_Type_ub(*type, &wide);
  if (*ierror == MPI_SUCCESS)
    *ierror = put_address(displacement, wide);
}

ROUTINE(type_get_extent, TYPE_GET_EXTENT,
        (In *type, MPI_Aint *lb, MPI_Aint *extent, Int *ierror))
{
  *ierror = MPI_Type_get_extent(*type, lb, extent);
}

ROUTINE(type_get_true_extent, TYPE_GET_TRUE_EXTENT,
        (In *type, MPI_Aint *lb, MPI_Aint *extent, Int *ierror))
{
  *ierror = MPI_Type_get_true_extent(*type, lb, extent);
}

ROUTINE(type_size, TYPE_SIZE, (In *type, Int *size, Int *ierror))
{
  *ierror = MPI_Type_size(*type, size);
}

ROUTINE(type_count, TYPE_COUNT, (In *type, Int *count, Int *ierror))
{
  *ierror = MPI_Type_count(*type, count);
}

ROUTINE(type_commit, TYPE_COMMIT, (Int *type, Int *ierror)) { *ierror = MPI_Type_commit(type); }

ROUTINE(type_free, TYPE_FREE, (Int *type, Int *ierror)) { *ierror = MPI_Type_free(type); }

ROUTINE(type_match_size, TYPE_MATCH_SIZE, (In *class_of_type, In *size, Int *type, Int *ierror))
{
  *ierror = MPI_Type_match_size(*class_of_type, *size, type);
}

ROUTINE(type_set_name, TYPE_SET_NAME, (In *type, char *name, Int *ierror, size_t size))
{
  char text[MPI_MAX_OBJECT_NAME];
  get_text(text, sizeof text, name, size);
  *ierror = MPI_Type_set_name(*type, text);
}

ROUTINE(type_get_name, TYPE_GET_NAME,
        (In *type, char *name, Int *length, Int *ierror, size_t size))
{
  char text[MPI_MAX_OBJECT_NAME] = "";
  int ignored = 0;
  *ierror = MPI_Type_get_name(*type, text, &ignored);
  if (*ierror == MPI_SUCCESS)
    *length = put_text(name, size, text);
}

ROUTINE(pack, PACK,
        (void *in, In *count, In *type, void *out, In *out_size, Int *position, In *comm,
         Int *ierror))
{
  *ierror = MPI_Pack(buffer_of(in), *count, *type, out, *out_size, position, *comm);
}

ROUTINE(unpack, UNPACK,
        (void *in, In *in_size, Int *position, void *out, In *count, In *type, In *comm,
         Int *ierror))
{
  *ierror = MPI_Unpack(in, *in_size, position, buffer_of(out), *count, *type, *comm);
}

ROUTINE(pack_size, PACK_SIZE, (In *count, In *type, In *comm, Int *size, Int *ierror))
{
  *ierror = MPI_Pack_size(*count, *type, *comm, size);
}
