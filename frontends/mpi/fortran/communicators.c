/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups and communicators. */
#include "fortran.h"

ROUTINE(group_size, GROUP_SIZE, (In *group, Int *size, Int *ierror))
{
  *ierror = MPI_Group_size(*group, size);
}

ROUTINE(group_rank, GROUP_RANK, (In *group, Int *rank, Int *ierror))
{
  *ierror = MPI_Group_rank(*group, rank);
}

ROUTINE(group_translate_ranks, GROUP_TRANSLATE_RANKS,
        (In *group, In *count, In *ranks, In *other, Int *translated, Int *ierror))
{
  *ierror = MPI_Group_translate_ranks(*group, *count, ranks, *other, translated);
}

ROUTINE(group_compare, GROUP_COMPARE, (In *group, In *other, Int *result, Int *ierror))
{
  *ierror = MPI_Group_compare(*group, *other, result);
}

ROUTINE(group_union, GROUP_UNION, (In *group, In *other, Int *result, Int *ierror))
{
  *ierror = MPI_Group_union(*group, *other, result);
}

ROUTINE(group_intersection, GROUP_INTERSECTION, (In *group, In *other, Int *result, Int *ierror))
{
  *ierror = MPI_Group_intersection(*group, *other, result);
}

ROUTINE(group_difference, GROUP_DIFFERENCE, (In *group, In *other, Int *result, Int *ierror))
{
  *ierror = MPI_Group_difference(*group, *other, result);
}

ROUTINE(group_incl, GROUP_INCL, (In *group, In *count, In *ranks, Int *result, Int *ierror))
{
  *ierror = MPI_Group_incl(*group, *count, ranks, result);
}

ROUTINE(group_excl, GROUP_EXCL, (In *group, In *count, In *ranks, Int *result, Int *ierror))
{
  *ierror = MPI_Group_excl(*group, *count, ranks, result);
}

/* RANGES(3,*): in memory as C has them. */
ROUTINE(group_range_incl, GROUP_RANGE_INCL,
        (In *group, In *count, Int ranges[][3], Int *result, Int *ierror))
{
  *ierror = MPI_Group_range_incl(*group, *count, ranges, result);
}

ROUTINE(group_range_excl, GROUP_RANGE_EXCL,
        (In *group, In *count, Int ranges[][3], Int *result, Int *ierror))
{
  *ierror = MPI_Group_range_excl(*group, *count, ranges, result);
}

ROUTINE(group_free, GROUP_FREE, (Int *group, Int *ierror)) { *ierror = MPI_Group_free(group); }

ROUTINE(comm_group, COMM_GROUP, (In *comm, Int *group, Int *ierror))
{
  *ierror = MPI_Comm_group(*comm, group);
}

ROUTINE(comm_size, COMM_SIZE, (In *comm, Int *size, Int *ierror))
{
  *ierror = MPI_Comm_size(*comm, size);
}

ROUTINE(comm_rank, COMM_RANK, (In *comm, Int *rank, Int *ierror))
{
  *ierror = MPI_Comm_rank(*comm, rank);
}

ROUTINE(comm_compare, COMM_COMPARE, (In *comm, In *other, Int *result, Int *ierror))
{
  *ierror = MPI_Comm_compare(*comm, *other, result);
}

ROUTINE(comm_dup, COMM_DUP, (In *comm, Int *result, Int *ierror))
{
  *ierror = MPI_Comm_dup(*comm, result);
}

ROUTINE(comm_create, COMM_CREATE, (In *comm, In *group, Int *result, Int *ierror))
{
  *ierror = MPI_Comm_create(*comm, *group, result);
}

ROUTINE(comm_split, COMM_SPLIT, (In *comm, In *color, In *key, Int *result, Int *ierror))
{
  *ierror = MPI_Comm_split(*comm, *color, *key, result);
}

ROUTINE(comm_split_type, COMM_SPLIT_TYPE,
        (In *comm, In *type, In *key, In *info, Int *result, Int *ierror))
{
  *ierror = MPI_Comm_split_type(*comm, *type, *key, *info, result);
}

ROUTINE(comm_create_group, COMM_CREATE_GROUP,
        (In *comm, In *group, In *tag, Int *result, Int *ierror))
{
  *ierror = MPI_Comm_create_group(*comm, *group, *tag, result);
}

ROUTINE(comm_free, COMM_FREE, (Int *comm, Int *ierror)) { *ierror = MPI_Comm_free(comm); }

ROUTINE(comm_set_name, COMM_SET_NAME, (In *comm, char *name, Int *ierror, size_t size))
{
  char text[MPI_MAX_OBJECT_NAME];
  get_text(text, sizeof text, name, size);
  *ierror = MPI_Comm_set_name(*comm, text);
}

ROUTINE(comm_get_name, COMM_GET_NAME,
        (In *comm, char *name, Int *length, Int *ierror, size_t size))
{
  char text[MPI_MAX_OBJECT_NAME] = "";
  int ignored = 0;
  *ierror = MPI_Comm_get_name(*comm, text, &ignored);
  if (*ierror == MPI_SUCCESS)
    *length = put_text(name, size, text);
}

ROUTINE(comm_test_inter, COMM_TEST_INTER, (In *comm, Logical *flag, Int *ierror))
{
  int inter = 0;
  *ierror = MPI_Comm_test_inter(*comm, &inter);
  *flag = logical_of(inter);
}

ROUTINE(comm_remote_size, COMM_REMOTE_SIZE, (In *comm, Int *size, Int *ierror))
{
  *ierror = MPI_Comm_remote_size(*comm, size);
}

ROUTINE(comm_remote_group, COMM_REMOTE_GROUP, (In *comm, Int *group, Int *ierror))
{
  *ierror = MPI_Comm_remote_group(*comm, group);
}

ROUTINE(intercomm_create, INTERCOMM_CREATE,
        (In *local, In *leader, In *peers, In *remote_leader, In *tag, Int *result, Int *ierror))
{
  *ierror = MPI_Intercomm_create(*local, *leader, *peers, *remote_leader, *tag, result);
}

ROUTINE(intercomm_merge, INTERCOMM_MERGE, (In *comm, Logical *high, Int *result, Int *ierror))
{
  *ierror = MPI_Intercomm_merge(*comm, truth_of(high), result);
}
