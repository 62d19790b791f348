/* Handles that are null, of another kind, freed, never made: one call for each use of a handle. */
#include "mpi_mistakes.h"

int me, n, word, words[8], flag, count, position;
char text[MPI_MAX_ERROR_STRING];
MPI_Status status;
MPI_Comm comm_made;
MPI_Datatype type_made;

/* Every call that takes a communicator. */
static void with_comm(MPI_Comm comm)
{
  MPI_Comm other = MPI_COMM_NULL, freed = comm;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Errhandler handler;
  int dims[2] = {1, 1}, ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  void *value;

#define BAD(call) WRONG(call, MPI_ERR_COMM)
  BAD(MPI_Send(words, 1, MPI_INT, 0, 0, comm));
  BAD(MPI_Bsend(words, 1, MPI_INT, 0, 0, comm));
  BAD(MPI_Ssend(words, 1, MPI_INT, 0, 0, comm));
  BAD(MPI_Rsend(words, 1, MPI_INT, 0, 0, comm));
  BAD(MPI_Recv(words, 1, MPI_INT, 0, 0, comm, &status));
  BAD(MPI_Isend(words, 1, MPI_INT, 0, 0, comm, &request));
  BAD(MPI_Ibsend(words, 1, MPI_INT, 0, 0, comm, &request));
  BAD(MPI_Issend(words, 1, MPI_INT, 0, 0, comm, &request));
  BAD(MPI_Irsend(words, 1, MPI_INT, 0, 0, comm, &request));
  BAD(MPI_Irecv(words, 1, MPI_INT, 0, 0, comm, &request));
  BAD(MPI_Send_init(words, 1, MPI_INT, 0, 0, comm, &request));
  BAD(MPI_Bsend_init(words, 1, MPI_INT, 0, 0, comm, &request));
  BAD(MPI_Ssend_init(words, 1, MPI_INT, 0, 0, comm, &request));
  BAD(MPI_Rsend_init(words, 1, MPI_INT, 0, 0, comm, &request));
  BAD(MPI_Recv_init(words, 1, MPI_INT, 0, 0, comm, &request));
  BAD(MPI_Probe(0, 0, comm, &status));
  BAD(MPI_Iprobe(0, 0, comm, &flag, &status));
  BAD(MPI_Sendrecv(words, 1, MPI_INT, 0, 0, words + 1, 1, MPI_INT, 0, 0, comm, &status));
  BAD(MPI_Sendrecv_replace(words, 1, MPI_INT, 0, 0, 0, 0, comm, &status));
  position = 0;
  BAD(MPI_Pack(&word, 1, MPI_INT, words, sizeof words, &position, comm));
  BAD(MPI_Unpack(words, sizeof words, &position, &word, 1, MPI_INT, comm));
  BAD(MPI_Pack_size(1, MPI_INT, comm, &count));

  BAD(MPI_Barrier(comm));
  BAD(MPI_Bcast(words, 1, MPI_INT, 0, comm));
  BAD(MPI_Gather(&word, 1, MPI_INT, words, 1, MPI_INT, 0, comm));
  BAD(MPI_Gatherv(&word, 1, MPI_INT, words, ones, ones, MPI_INT, 0, comm));
  BAD(MPI_Scatter(words, 1, MPI_INT, &word, 1, MPI_INT, 0, comm));
  BAD(MPI_Scatterv(words, ones, ones, MPI_INT, &word, 1, MPI_INT, 0, comm));
  BAD(MPI_Allgather(&word, 1, MPI_INT, words, 1, MPI_INT, comm));
  BAD(MPI_Allgatherv(&word, 1, MPI_INT, words, ones, ones, MPI_INT, comm));
  BAD(MPI_Alltoall(words, 1, MPI_INT, words + 4, 1, MPI_INT, comm));
  BAD(MPI_Alltoallv(words, ones, ones, MPI_INT, words + 4, ones, ones, MPI_INT, comm));
  BAD(MPI_Reduce(&word, words, 1, MPI_INT, MPI_SUM, 0, comm));
  BAD(MPI_Allreduce(&word, words, 1, MPI_INT, MPI_SUM, comm));
  BAD(MPI_Reduce_scatter(words, &word, ones, MPI_INT, MPI_SUM, comm));
  BAD(MPI_Scan(&word, words, 1, MPI_INT, MPI_SUM, comm));

  BAD(MPI_Comm_size(comm, &count));
  BAD(MPI_Comm_rank(comm, &count));
  BAD(MPI_Comm_group(comm, &group));
  BAD(MPI_Comm_compare(comm, MPI_COMM_WORLD, &count));
  BAD(MPI_Comm_compare(MPI_COMM_WORLD, comm, &count));
  BAD(MPI_Comm_dup(comm, &other));
  BAD(MPI_Comm_create(comm, MPI_GROUP_EMPTY, &other));
  BAD(MPI_Comm_split(comm, 0, 0, &other));
  BAD(MPI_Comm_test_inter(comm, &flag));
  BAD(MPI_Comm_remote_size(comm, &count));
  BAD(MPI_Comm_remote_group(comm, &group));
  BAD(MPI_Intercomm_create(comm, 0, MPI_COMM_WORLD, 0, 0, &other));
  BAD(MPI_Intercomm_merge(comm, 0, &other));
  BAD(MPI_Comm_free(&freed));
  BAD(MPI_Attr_put(comm, MPI_KEYVAL_INVALID, words));
  BAD(MPI_Attr_get(comm, MPI_TAG_UB, &value, &flag));
  BAD(MPI_Attr_delete(comm, MPI_KEYVAL_INVALID));

  BAD(MPI_Cart_create(comm, 1, dims, dims, 0, &other));
  BAD(MPI_Graph_create(comm, 0, words, words, 0, &other));
  BAD(MPI_Topo_test(comm, &count));
  BAD(MPI_Graphdims_get(comm, &count, &flag));
  BAD(MPI_Graph_get(comm, 8, 8, words, words));
  BAD(MPI_Cartdim_get(comm, &count));
  BAD(MPI_Cart_get(comm, 8, words, words, words));
  BAD(MPI_Cart_rank(comm, words, &count));
  BAD(MPI_Cart_coords(comm, 0, 8, words));
  BAD(MPI_Graph_neighbors_count(comm, 0, &count));
  BAD(MPI_Graph_neighbors(comm, 0, 8, words));
  BAD(MPI_Cart_shift(comm, 0, 1, &count, &flag));
  BAD(MPI_Cart_sub(comm, dims, &other));
  BAD(MPI_Cart_map(comm, 1, dims, dims, &count));
  BAD(MPI_Graph_map(comm, 0, words, words, &count));
  BAD(MPI_Errhandler_set(comm, MPI_ERRORS_RETURN));
  BAD(MPI_Errhandler_get(comm, &handler));
#undef BAD
}

static void with_type(MPI_Datatype type)
{
  MPI_Datatype made = MPI_DATATYPE_NULL, own = type;
  MPI_Request request;
  MPI_Aint place = 0;
  int ones[8] = {1, 1, 1, 1, 1, 1, 1, 1}, one = 1;

#define BAD(call) WRONG(call, MPI_ERR_TYPE)
  BAD(MPI_Send(words, 1, type, 0, 0, MPI_COMM_WORLD));
  BAD(MPI_Recv(words, 1, type, 0, 0, MPI_COMM_WORLD, &status));
  BAD(MPI_Isend(words, 1, type, 0, 0, MPI_COMM_WORLD, &request));
  BAD(MPI_Irecv(words, 1, type, 0, 0, MPI_COMM_WORLD, &request));
  BAD(MPI_Recv_init(words, 1, type, 0, 0, MPI_COMM_WORLD, &request));
  BAD(MPI_Sendrecv(words, 1, MPI_INT, 0, 0, words + 1, 1, type, 0, 0, MPI_COMM_WORLD, &status));
  BAD(MPI_Sendrecv(words, 1, type, 0, 0, words + 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status));
  BAD(MPI_Sendrecv_replace(words, 1, type, 0, 0, 0, 0, MPI_COMM_WORLD, &status));
  BAD(MPI_Get_count(&status, type, &count));
  BAD(MPI_Get_elements(&status, type, &count));
  BAD(MPI_Pack(&word, 1, type, words, sizeof words, &position, MPI_COMM_WORLD));
  BAD(MPI_Unpack(words, sizeof words, &position, &word, 1, type, MPI_COMM_WORLD));
  BAD(MPI_Pack_size(1, type, MPI_COMM_WORLD, &count));
  BAD(MPI_Bcast(words, 1, type, 0, MPI_COMM_WORLD));
  BAD(MPI_Allgather(&word, 1, MPI_INT, words, 1, type, MPI_COMM_WORLD));
  BAD(MPI_Allgather(&word, 1, type, words, 1, MPI_INT, MPI_COMM_WORLD));
  BAD(MPI_Alltoall(words, 1, type, words + 4, 1, MPI_INT, MPI_COMM_WORLD));
  BAD(MPI_Alltoallv(words, ones, ones, type, words + 4, ones, ones, MPI_INT, MPI_COMM_WORLD));
  MPICH_DIFFERS(BAD(MPI_Allreduce(&word, words, 1, type, MPI_SUM, MPI_COMM_WORLD)));
  MPICH_DIFFERS(BAD(MPI_Scan(&word, words, 1, type, MPI_SUM, MPI_COMM_WORLD)));
  MPICH_DIFFERS(BAD(MPI_Reduce_scatter(words, &word, ones, type, MPI_SUM, MPI_COMM_WORLD)));
  BAD(MPI_Type_contiguous(1, type, &made));
  BAD(MPI_Type_vector(1, 1, 1, type, &made));
  BAD(MPI_Type_hvector(1, 1, (MPI_Aint)1, type, &made));
  BAD(MPI_Type_indexed(1, &one, &one, type, &made));
  BAD(MPI_Type_hindexed(1, &one, &place, type, &made));
  MPICH_TAKES(BAD(MPI_Type_struct(1, &one, &place, &type, &made)));
  BAD(MPI_Type_extent(type, &place));
  BAD(MPI_Type_size(type, &count));
  BAD(MPI_Type_lb(type, &place));
  BAD(MPI_Type_ub(type, &place));
  BAD(MPI_Type_commit(&own));
  BAD(MPI_Type_free(&own));
#undef BAD
}

static void with_group(MPI_Group group)
{
  MPI_Group made, own = group;
  MPI_Comm comm;
  int range[1][3] = {{0, 0, 1}}, zero = 0;

#define BAD(call) WRONG(call, MPI_ERR_GROUP)
  BAD(MPI_Group_size(group, &count));
  BAD(MPI_Group_rank(group, &count));
  BAD(MPI_Group_translate_ranks(group, 1, &zero, MPI_GROUP_EMPTY, &count));
  BAD(MPI_Group_translate_ranks(MPI_GROUP_EMPTY, 0, &zero, group, &count));
  BAD(MPI_Group_compare(group, MPI_GROUP_EMPTY, &count));
  BAD(MPI_Group_compare(MPI_GROUP_EMPTY, group, &count));
  BAD(MPI_Group_union(group, MPI_GROUP_EMPTY, &made));
  BAD(MPI_Group_union(MPI_GROUP_EMPTY, group, &made));
  BAD(MPI_Group_intersection(group, MPI_GROUP_EMPTY, &made));
  BAD(MPI_Group_difference(MPI_GROUP_EMPTY, group, &made));
  BAD(MPI_Group_incl(group, 1, &zero, &made));
  BAD(MPI_Group_excl(group, 1, &zero, &made));
  BAD(MPI_Group_range_incl(group, 1, range, &made));
  BAD(MPI_Group_range_excl(group, 1, range, &made));
  BAD(MPI_Group_free(&own));
  BAD(MPI_Comm_create(MPI_COMM_WORLD, group, &comm));
#undef BAD
}

static void with_request(MPI_Request request)
{
  MPI_Request two[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[2];
  int indices[2];

#define BAD(call) two[1] = request; WRONG(call, MPI_ERR_REQUEST); CHECK(two[1] == request)
  BAD(MPI_Wait(&two[1], &status));
  BAD(MPI_Test(&two[1], &flag, &status));
  BAD(MPI_Waitany(2, two, &count, &status));
  BAD(MPI_Testany(2, two, &count, &flag, &status));
  BAD(MPI_Waitall(2, two, statuses));
  BAD(MPI_Testall(2, two, &flag, statuses));
  BAD(MPI_Waitsome(2, two, &count, indices, statuses));
  BAD(MPI_Testsome(2, two, &count, indices, statuses));
  BAD(MPI_Request_free(&two[1]));
  BAD(MPI_Cancel(&two[1]));
  BAD(MPI_Start(&two[1]));
  BAD(MPI_Startall(1, &two[1]));
#undef BAD
}

static void with_operation(MPI_Op op)
{
  int ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};

#define BAD(call) WRONG(call, MPI_ERR_OP)
  BAD(MPI_Reduce(&word, words, 1, MPI_INT, op, 0, MPI_COMM_WORLD));
  BAD(MPI_Allreduce(&word, words, 1, MPI_INT, op, MPI_COMM_WORLD));
  BAD(MPI_Reduce_scatter(words, &word, ones, MPI_INT, op, MPI_COMM_WORLD));
  BAD(MPI_Scan(&word, words, 1, MPI_INT, op, MPI_COMM_WORLD));
  MPICH_TAKES(BAD(MPI_Op_free(&op)));
#undef BAD
}

static void with_keyval(int keyval)
{
  void *value;

#define BAD(call) WRONG(call, MPI_ERR_KEYVAL)
  BAD(MPI_Attr_put(MPI_COMM_WORLD, keyval, words));
  BAD(MPI_Attr_get(MPI_COMM_WORLD, keyval, &value, &flag));
  BAD(MPI_Attr_delete(MPI_COMM_WORLD, keyval));
  BAD(MPI_Keyval_free(&keyval));
#undef BAD
}

static void with_handler(MPI_Errhandler handler)
{
  WRONG(MPI_Errhandler_set(MPI_COMM_WORLD, handler), MPI_ERR_ARG);
  WRONG(MPI_Errhandler_free(&handler), MPI_ERR_ARG);
}

static void nothing(void *in, void *inout, int *length, MPI_Datatype *type) {}

/* A handle is found out until 62 others have had its place. */
static void generations()
{
  MPI_Datatype first, next;
  int i;

  DOES(MPI_Type_contiguous(2, MPI_INT, &first));
  next = first;
  for (i = 0; i < 61; i++) {
    DOES(MPI_Type_free(&next));
    DOES(MPI_Type_contiguous(2, MPI_INT, &next));
    CHECK(next != first);
    WRONG(MPI_Type_size(first, &count), MPI_ERR_TYPE);
  }
  DOES(MPI_Type_free(&next));
}

int main(int argc, char **argv)
{
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Group group, world;
  MPI_Request request, null = MPI_REQUEST_NULL;
  MPI_Op op;
  MPI_Errhandler handler;
  int key;

  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  install_handler(MPI_COMM_WORLD);

  DOES(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  DOES(MPI_Type_contiguous(2, MPI_INT, &type));
  DOES(MPI_Type_commit(&type));
  DOES(MPI_Comm_group(MPI_COMM_WORLD, &world));
  DOES(MPI_Group_incl(world, 1, &me, &group));
  DOES(MPI_Recv_init(words, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request));
  DOES(MPI_Op_create(nothing, 1, &op));
  DOES(MPI_Errhandler_create((MPI_Handler_function *)listen, &handler));
  DOES(MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &key, (void *)0));

  /* Null, of another kind (predefined and made), of no kind. */
  with_comm(MPI_COMM_NULL);
  with_comm((MPI_Comm)MPI_INT);
  with_comm((MPI_Comm)group);
  with_comm((MPI_Comm)1234);
  with_type(MPI_DATATYPE_NULL);
  with_type((MPI_Datatype)MPI_COMM_WORLD);
  with_type((MPI_Datatype)op);
  with_type((MPI_Datatype)99);
  with_group(MPI_GROUP_NULL);
  with_group((MPI_Group)MPI_COMM_SELF);
  with_group((MPI_Group)type);
  with_group((MPI_Group)-1);
  WRONG(MPI_Request_free(&null), MPI_ERR_REQUEST);
  WRONG(MPI_Cancel(&null), MPI_ERR_REQUEST);
  WRONG(MPI_Start(&null), MPI_ERR_REQUEST);
  with_request((MPI_Request)MPI_SUM);
  with_request((MPI_Request)comm);
  with_request((MPI_Request)7);
  with_operation(MPI_OP_NULL);
  with_operation((MPI_Op)MPI_INT);
  with_operation((MPI_Op)request);
  with_operation((MPI_Op)5);
  with_keyval(MPI_KEYVAL_INVALID);
  with_keyval((int)op);
  with_keyval(3);
  with_handler(MPI_ERRHANDLER_NULL);
  with_handler((MPI_Errhandler)MPI_COMM_WORLD);
  with_handler((MPI_Errhandler)type);
  with_handler((MPI_Errhandler)11);

#ifndef NATIVE /* MPICH takes handles that were freed */
  {
    MPI_Comm comm_freed = comm;
    MPI_Datatype type_freed = type;
    MPI_Group group_freed = group;
    MPI_Request request_freed = request;
    MPI_Op op_freed = op;
    MPI_Errhandler handler_freed = handler;
    int key_freed = key;

    DOES(MPI_Comm_free(&comm));
    DOES(MPI_Type_free(&type));
    DOES(MPI_Group_free(&group));
    DOES(MPI_Request_free(&request));
    DOES(MPI_Op_free(&op));
    DOES(MPI_Errhandler_free(&handler));
    DOES(MPI_Keyval_free(&key));
    with_comm(comm_freed);
    with_type(type_freed);
    with_group(group_freed);
    with_request(request_freed);
    with_operation(op_freed);
    with_handler(handler_freed);
    with_keyval(key_freed);
    generations();
    /* Never made: of a kind, but of a place that none has had. */
    with_comm((MPI_Comm)((long)comm_freed + 4000));
    with_type((MPI_Datatype)((long)type_freed + 4000));
    with_group((MPI_Group)((long)group_freed + 4000));
    with_request((MPI_Request)((long)request_freed + 4000));
    with_operation((MPI_Op)((long)op_freed + 4000));
    with_keyval(key_freed + 4000);
  }
#endif
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
