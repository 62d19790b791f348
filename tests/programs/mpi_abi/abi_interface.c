/* The standard's binary interface, as far as it differs from MPICH's. */
#include "../mpi/mpi_check.h"

/* Sizes and places are fixed: arrays of a negative size do not compile. */
#define FIXED(name, what) typedef char name[(what) ? 1 : -1]
FIXED(status_has_32_bytes, sizeof(MPI_Status) == 32);
FIXED(source_is_first, offsetof(MPI_Status, MPI_SOURCE) == 0);
FIXED(tag_is_second, offsetof(MPI_Status, MPI_TAG) == 4);
FIXED(error_is_third, offsetof(MPI_Status, MPI_ERROR) == 8);
FIXED(rest_is_last, offsetof(MPI_Status, MPI_internal) == 12);
FIXED(handles_are_pointers, sizeof(MPI_Comm) == sizeof(void *) && sizeof(MPI_Op) == sizeof(void *));
FIXED(addresses_are_pointers, sizeof(MPI_Aint) == sizeof(void *));
FIXED(counts_have_64_bits, sizeof(MPI_Count) == 8 && sizeof(MPI_Offset) == 8);

static int me, n;

static void itself(void)
{
  char value[MPI_MAX_INFO_VAL];
  int major = -1, minor = -1, flag = -1, keys = 0;
  MPI_Info info = MPI_INFO_NULL;
  DOES(MPI_Abi_get_version(&major, &minor));
  CHECK(major == MPI_ABI_VERSION && minor == MPI_ABI_SUBVERSION);
  DOES(MPI_Abi_get_info(&info));
  DOES(MPI_Info_get_nkeys(info, &keys));
  CHECK(keys == 3);
  DOES(MPI_Info_get(info, "mpi_aint_size", sizeof value - 1, value, &flag));
  CHECK(flag && !strcmp(value, "8"));
  DOES(MPI_Info_get(info, "mpi_count_size", sizeof value - 1, value, &flag));
  CHECK(flag && !strcmp(value, "8"));
  DOES(MPI_Info_get(info, "mpi_offset_size", sizeof value - 1, value, &flag));
  CHECK(flag && !strcmp(value, "8"));
  DOES(MPI_Info_free(&info));
  info = MPI_INFO_ENV;
  DOES(MPI_Abi_get_fortran_info(&info));
  CHECK(info == MPI_INFO_NULL);
  DOES(MPI_Abi_get_fortran_booleans(4, &major, &minor, &flag));
  CHECK(flag == 0);
}

/* Predefined handles have their own numbers; others can be had back. */
static void numbers(void)
{
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Group group;
  MPI_Request request;
  MPI_Info info;
  int size = 0;
  CHECK(MPI_Comm_toint(MPI_COMM_WORLD) == 0x101 && MPI_Comm_fromint(0x102) == MPI_COMM_SELF);
  CHECK(MPI_Type_toint(MPI_INT) == 0x209 && MPI_Type_fromint(0x214) == MPI_DOUBLE);
  CHECK(MPI_Op_toint(MPI_SUM) == 0x21 && MPI_Op_fromint(0x23) == MPI_MAX);
  CHECK(MPI_Errhandler_fromint(MPI_Errhandler_toint(MPI_ERRORS_RETURN)) == MPI_ERRORS_RETURN);
  CHECK(MPI_Win_fromint(MPI_Win_toint(MPI_WIN_NULL)) == MPI_WIN_NULL);
  DOES(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  DOES(PMPI_Comm_size(PMPI_Comm_fromint(PMPI_Comm_toint(comm)), &size));
  CHECK(size == n && MPI_Comm_fromint(MPI_Comm_toint(comm)) == comm);
  DOES(MPI_Comm_free(&comm));
  DOES(MPI_Type_contiguous(3, MPI_INT, &type));
  CHECK(MPI_Type_fromint(MPI_Type_toint(type)) == type);
  DOES(MPI_Type_free(&type));
  DOES(MPI_Comm_group(MPI_COMM_WORLD, &group));
  CHECK(MPI_Group_fromint(MPI_Group_toint(group)) == group);
  DOES(MPI_Group_free(&group));
  DOES(MPI_Recv_init(&size, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request));
  CHECK(MPI_Request_fromint(MPI_Request_toint(request)) == request);
  DOES(MPI_Request_free(&request));
  DOES(MPI_Info_create(&info));
  CHECK(MPI_Info_fromint(MPI_Info_toint(info)) == info);
  DOES(MPI_Info_free(&info));
}

static void statuses(void)
{
  MPI_Request requests[2];
  MPI_Status status;
  int source = -9, tag = -9, error = -9, count = -9, word = me, back = -1, next = (me + 1) % n, last = (me + n - 1) % n;
  memset(&status, 255, sizeof status);
  DOES(MPI_Sendrecv(&word, 1, MPI_INT, next, 7, &back, 1, MPI_INT, last, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
  DOES(MPI_Status_get_source(&status, &source));
  DOES(MPI_Status_get_tag(&status, &tag));
  CHECK(back == last && source == last && tag == 7);
  DOES(MPI_Status_set_source(&status, 3));
  DOES(MPI_Status_set_tag(&status, 5));
  DOES(MPI_Status_set_error(&status, MPI_ERR_TRUNCATE));
  DOES(MPI_Status_get_error(&status, &error));
  CHECK(status.MPI_SOURCE == 3 && status.MPI_TAG == 5 && error == MPI_ERR_TRUNCATE);
  DOES(MPI_Get_count(&status, MPI_INT, &count));
  CHECK(count == 1);
  /* Ignored ones are null pointers. */
  DOES(MPI_Sendrecv(&word, 1, MPI_INT, next, 8, &back, 1, MPI_INT, last, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  DOES(MPI_Irecv(&back, 1, MPI_INT, last, 9, MPI_COMM_WORLD, &requests[0]));
  DOES(MPI_Isend(&word, 1, MPI_INT, next, 9, MPI_COMM_WORLD, &requests[1]));
  DOES(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
  DOES(MPI_Recv(&back, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &status));
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
}

/* Handles of MPICH's, null pointers, and numbers that the standard keeps for others. */
static void wrong_handles(void)
{
  int size, word = 0;
  long const world = 0x44000000, made = 0x84000001;
  MPI_Comm comm;
  FAILS(MPI_Comm_size((MPI_Comm)world, &size), MPI_ERR_COMM);
  FAILS(MPI_Comm_size((MPI_Comm)made, &size), MPI_ERR_COMM);
  FAILS(MPI_Comm_size((MPI_Comm)0, &size), MPI_ERR_COMM);
  FAILS(MPI_Comm_size((MPI_Comm)0x103, &size), MPI_ERR_COMM);
  FAILS(MPI_Comm_size(MPI_COMM_NULL, &size), MPI_ERR_COMM);
  FAILS(MPI_Type_size((MPI_Datatype)0x4c000405, &size), MPI_ERR_TYPE);
  FAILS(MPI_Type_size((MPI_Datatype)0x211, &size), MPI_ERR_TYPE);
  FAILS(MPI_Type_size((MPI_Datatype)0x309, &size), MPI_ERR_TYPE);
  FAILS(MPI_Allreduce(&word, &size, 1, MPI_INT, (MPI_Op)0x25, MPI_COMM_SELF), MPI_ERR_OP);
  FAILS(MPI_Allreduce(&word, &size, 1, MPI_INT, (MPI_Op)0x58000003, MPI_COMM_SELF), MPI_ERR_OP);
  DOES(MPI_Comm_dup(MPI_COMM_SELF, &comm));
  /* The same in the low 32 bits. */
  FAILS(MPI_Comm_size((MPI_Comm)((long)comm | 1L << 40), &size), MPI_ERR_COMM);
  FAILS(MPI_Comm_size((MPI_Comm)((long)MPI_COMM_WORLD | 1L << 40), &size), MPI_ERR_COMM);
  DOES(MPI_Comm_free(&comm));
}

/* The NUL at its end counts. */
static void lengths(void)
{
  char key[MPI_MAX_INFO_KEY + 1], back[MPI_MAX_INFO_KEY];
  MPI_Info info;
  memset(key, 'k', sizeof key);
  DOES(MPI_Info_create(&info));
  key[MPI_MAX_INFO_KEY] = '\0';
  FAILS(MPI_Info_set(info, key, "too long"), MPI_ERR_INFO_KEY);
  key[MPI_MAX_INFO_KEY - 1] = '\0';
  DOES(MPI_Info_set(info, key, "fits"));
  DOES(MPI_Info_get_nthkey(info, 0, back));
  CHECK(!strcmp(key, back));
  DOES(MPI_Info_free(&info));
}

static void attributes(void)
{
  MPI_Comm comm;
  int key, flag = 0, *kept = 0;
  DOES(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, (void *)0));
  DOES(MPI_Comm_set_attr(MPI_COMM_WORLD, key, &me));
  DOES(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  DOES(MPI_Comm_get_attr(comm, key, &kept, &flag));
  CHECK(flag && kept == &me);
  DOES(MPI_Comm_free(&comm));
  DOES(MPI_Comm_delete_attr(MPI_COMM_WORLD, key));
  DOES(MPI_Comm_free_keyval(&key));
  CHECK(key == MPI_KEYVAL_INVALID);
}

int main(int argc, char **argv)
{
  int major, minor, provided = -1;
  DOES(MPI_Abi_get_version(&major, &minor));
  DOES(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
  CHECK(provided == MPI_THREAD_FUNNELED);
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  DOES(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  DOES(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
  itself();
  numbers();
  statuses();
  wrong_handles();
  lengths();
  attributes();
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
