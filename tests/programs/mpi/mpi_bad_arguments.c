/* Arguments other than handles: each gives its class, through the handler of the communicator that
 * the call is on, where it is on one. */
#include "mpi_mistakes.h"

int me, n, word, words[64], flag, count, position;
MPI_Status status, statuses[2];
MPI_Comm on;
MPI_Datatype open_type; /* not committed */

#define BAD(call, class_wanted) WRONG_ON(on, call, class_wanted)

/* SEND(count, type, dest, tag) with each of `names`, all but one good. */
#define EACH_SEND(send)                                        \
  BAD(send(words, -1, MPI_INT, me, 0), MPI_ERR_COUNT);         \
  BAD(send(words, 1, open_type, me, 0), MPI_ERR_TYPE);         \
  BAD(send(words, 1, MPI_INT, n, 0), MPI_ERR_RANK);            \
  BAD(send(words, 1, MPI_INT, -9, 0), MPI_ERR_RANK);           \
  BAD(send(words, 1, MPI_INT, MPI_ANY_SOURCE, 0), MPI_ERR_RANK); \
  BAD(send(words, 1, MPI_INT, me, -1), MPI_ERR_TAG);           \
  BAD(send(words, 1, MPI_INT, me, -9), MPI_ERR_TAG);           \
  BAD(send(words, 1, MPI_INT, me, tag_over), MPI_ERR_TAG);     \
  BAD(send((void *)0, 1, MPI_INT, me, 0), MPI_ERR_BUFFER);

#define EACH_RECEIVE(receive)                                  \
  BAD(receive(words, -1, MPI_INT, me, 0), MPI_ERR_COUNT);      \
  BAD(receive(words, 1, open_type, me, 0), MPI_ERR_TYPE);      \
  BAD(receive(words, 1, MPI_INT, n, 0), MPI_ERR_RANK);         \
  BAD(receive(words, 1, MPI_INT, -9, 0), MPI_ERR_RANK);        \
  BAD(receive(words, 1, MPI_INT, me, -9), MPI_ERR_TAG);        \
  BAD(receive(words, 1, MPI_INT, me, tag_over), MPI_ERR_TAG);  \
  BAD(receive((void *)0, 1, MPI_INT, me, 0), MPI_ERR_BUFFER);

static void point_to_point()
{
  MPI_Request request;
  int *bound, tag_over;
  DOES(MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag));
  /* Where the highest tag is the highest int, there is none above. */
  tag_over = *bound == 0x7fffffff ? -7 : *bound + 1;

#define SEND(buf, count, type, dest, tag) MPI_Send(buf, count, type, dest, tag, on)
  EACH_SEND(SEND)
#define SSEND(buf, count, type, dest, tag) MPI_Ssend(buf, count, type, dest, tag, on)
  EACH_SEND(SSEND)
#define RSEND(buf, count, type, dest, tag) MPI_Rsend(buf, count, type, dest, tag, on)
  EACH_SEND(RSEND)
#define BSEND(buf, count, type, dest, tag) MPI_Bsend(buf, count, type, dest, tag, on)
  EACH_SEND(BSEND)
#define ISEND(buf, count, type, dest, tag) MPI_Isend(buf, count, type, dest, tag, on, &request)
  EACH_SEND(ISEND)
#define ISSEND(buf, count, type, dest, tag) MPI_Issend(buf, count, type, dest, tag, on, &request)
  EACH_SEND(ISSEND)
#define IRSEND(buf, count, type, dest, tag) MPI_Irsend(buf, count, type, dest, tag, on, &request)
  EACH_SEND(IRSEND)
#define IBSEND(buf, count, type, dest, tag) MPI_Ibsend(buf, count, type, dest, tag, on, &request)
  EACH_SEND(IBSEND)
#define PLAN(buf, count, type, dest, tag) MPI_Send_init(buf, count, type, dest, tag, on, &request)
  EACH_SEND(PLAN)
#define BPLAN(buf, count, type, dest, tag) MPI_Bsend_init(buf, count, type, dest, tag, on, &request)
  EACH_SEND(BPLAN)
#define SPLAN(buf, count, type, dest, tag) MPI_Ssend_init(buf, count, type, dest, tag, on, &request)
  EACH_SEND(SPLAN)
#define RPLAN(buf, count, type, dest, tag) MPI_Rsend_init(buf, count, type, dest, tag, on, &request)
  EACH_SEND(RPLAN)
#define RECV(buf, count, type, source, tag) MPI_Recv(buf, count, type, source, tag, on, &status)
  EACH_RECEIVE(RECV)
#define IRECV(buf, count, type, source, tag) MPI_Irecv(buf, count, type, source, tag, on, &request)
  EACH_RECEIVE(IRECV)
#define RPLANNED(buf, count, type, source, tag) \
  MPI_Recv_init(buf, count, type, source, tag, on, &request)
  EACH_RECEIVE(RPLANNED)
#define FIRST(buf, count, type, dest, tag) \
  MPI_Sendrecv(buf, count, type, dest, tag, words + 1, 1, MPI_INT, me, 0, on, &status)
  EACH_SEND(FIRST)
#define SECOND(buf, count, type, source, tag) \
  MPI_Sendrecv(words + 1, 1, MPI_INT, me, 0, buf, count, type, source, tag, on, &status)
  EACH_RECEIVE(SECOND)
#define REPLACED(buf, count, type, dest, tag) \
  MPI_Sendrecv_replace(buf, count, type, dest, tag, me, 0, on, &status)
  EACH_SEND(REPLACED)

  BAD(MPI_Probe(n, 0, on, &status), MPI_ERR_RANK);
  BAD(MPI_Probe(0, -9, on, &status), MPI_ERR_TAG);
  BAD(MPI_Iprobe(-9, 0, on, &flag, &status), MPI_ERR_RANK);
  BAD(MPI_Iprobe(0, tag_over, on, &flag, &status), MPI_ERR_TAG);
  BAD(MPI_Iprobe(0, 0, on, (int *)0, &status), MPI_ERR_ARG);
  /* Results that have no place. */
  BAD(MPI_Isend(words, 1, MPI_INT, me, 0, on, (MPI_Request *)0), MPI_ERR_ARG);
  BAD(MPI_Irecv(words, 1, MPI_INT, me, 0, on, (MPI_Request *)0), MPI_ERR_ARG);
  BAD(MPI_Recv_init(words, 1, MPI_INT, me, 0, on, (MPI_Request *)0), MPI_ERR_ARG);
}

#ifndef MPI_ABI_VERSION /* there a null pointer is MPI_STATUS_IGNORE */
static void without_status()
{
  MPI_Request request = MPI_REQUEST_NULL;
  int indices[2];

  BAD(MPI_Recv(words, 1, MPI_INT, me, 0, on, (MPI_Status *)0), MPI_ERR_ARG);
  BAD(MPI_Probe(me, 0, on, (MPI_Status *)0), MPI_ERR_ARG);
  BAD(MPI_Iprobe(me, 0, on, &flag, (MPI_Status *)0), MPI_ERR_ARG);
  BAD(MPI_Sendrecv(words, 1, MPI_INT, me, 0, words + 1, 1, MPI_INT, me, 0, on, (MPI_Status *)0),
      MPI_ERR_ARG);
  BAD(MPI_Sendrecv_replace(words, 1, MPI_INT, me, 0, me, 0, on, (MPI_Status *)0), MPI_ERR_ARG);
  WRONG(MPI_Wait(&request, (MPI_Status *)0), MPI_ERR_ARG);
  WRONG(MPI_Test(&request, &flag, (MPI_Status *)0), MPI_ERR_ARG);
  WRONG(MPI_Waitany(1, &request, &count, (MPI_Status *)0), MPI_ERR_ARG);
  WRONG(MPI_Testany(1, &request, &count, &flag, (MPI_Status *)0), MPI_ERR_ARG);
  WRONG(MPI_Waitall(1, &request, (MPI_Status *)0), MPI_ERR_ARG);
  WRONG(MPI_Testall(1, &request, &flag, (MPI_Status *)0), MPI_ERR_ARG);
  WRONG(MPI_Waitsome(1, &request, &count, indices, (MPI_Status *)0), MPI_ERR_ARG);
}
#else
static void without_status() {}
#endif

static void requests()
{
  MPI_Request request = MPI_REQUEST_NULL, planned;
  int indices[2];

  WRONG(MPI_Wait((MPI_Request *)0, &status), MPI_ERR_ARG);
  WRONG(MPI_Test(&request, (int *)0, &status), MPI_ERR_ARG);
  WRONG(MPI_Waitany(-1, &request, &count, &status), MPI_ERR_COUNT);
  WRONG(MPI_Waitany(1, (MPI_Request *)0, &count, &status), MPI_ERR_ARG);
  WRONG(MPI_Waitany(1, &request, (int *)0, &status), MPI_ERR_ARG);
  WRONG(MPI_Testany(-1, &request, &count, &flag, &status), MPI_ERR_COUNT);
  WRONG(MPI_Testany(1, &request, &count, (int *)0, &status), MPI_ERR_ARG);
  WRONG(MPI_Waitall(-1, &request, statuses), MPI_ERR_COUNT);
  WRONG(MPI_Testall(-1, &request, &flag, statuses), MPI_ERR_COUNT);
  WRONG(MPI_Testall(1, &request, (int *)0, statuses), MPI_ERR_ARG);
  WRONG(MPI_Waitsome(-1, &request, &count, indices, statuses), MPI_ERR_COUNT);
  WRONG(MPI_Waitsome(1, &request, (int *)0, indices, statuses), MPI_ERR_ARG);
  WRONG(MPI_Waitsome(1, &request, &count, (int *)0, statuses), MPI_ERR_ARG);
  WRONG(MPI_Testsome(-1, &request, &count, indices, statuses), MPI_ERR_COUNT);
  WRONG(MPI_Testsome(1, &request, &count, (int *)0, statuses), MPI_ERR_ARG);
  WRONG(MPI_Startall(-1, &request), MPI_ERR_COUNT);
  WRONG(MPI_Start((MPI_Request *)0), MPI_ERR_ARG);
  WRONG(MPI_Cancel((MPI_Request *)0), MPI_ERR_ARG);
  WRONG(MPI_Request_free((MPI_Request *)0), MPI_ERR_ARG);
  WRONG(MPI_Test_cancelled((MPI_Status *)0, &flag), MPI_ERR_ARG);
  WRONG(MPI_Get_count((MPI_Status *)0, MPI_INT, &count), MPI_ERR_ARG);
  WRONG(MPI_Get_count(&status, MPI_INT, (int *)0), MPI_ERR_ARG);
  WRONG(MPI_Get_elements(&status, MPI_INT, (int *)0), MPI_ERR_ARG);
  /* Started when it was made, or started already. */
  DOES(MPI_Irecv(words, 1, MPI_INT, MPI_PROC_NULL, 0, on, &request));
  WRONG(MPI_Start(&request), MPI_ERR_REQUEST);
  DOES(MPI_Wait(&request, &status));
  DOES(MPI_Recv_init(words, 1, MPI_INT, me, 0, on, &planned));
  DOES(MPI_Start(&planned));
  WRONG(MPI_Start(&planned), MPI_ERR_REQUEST);
  WRONG(MPI_Startall(1, &planned), MPI_ERR_REQUEST);
  DOES(MPI_Send(&word, 1, MPI_INT, me, 0, on));
  DOES(MPI_Wait(&planned, &status));
  DOES(MPI_Request_free(&planned));
}

static void collectives()
{
  int ones[64], minus[64], i;
  for (i = 0; i < 64; i++) ones[i] = 1, minus[i] = i == n - 1 ? -1 : 1;

  BAD(MPI_Bcast(words, -1, MPI_INT, 0, on), MPI_ERR_COUNT);
  BAD(MPI_Bcast(words, 1, open_type, 0, on), MPI_ERR_TYPE);
  BAD(MPI_Bcast(words, 1, MPI_INT, n, on), MPI_ERR_ROOT);
  BAD(MPI_Bcast(words, 1, MPI_INT, -1, on), MPI_ERR_ROOT);
  BAD(MPI_Bcast(words, 1, MPI_INT, MPI_PROC_NULL, on), MPI_ERR_ROOT);
  BAD(MPI_Gather(&word, 1, MPI_INT, words, 1, MPI_INT, n, on), MPI_ERR_ROOT);
  BAD(MPI_Gather(&word, -1, MPI_INT, words, 1, MPI_INT, 0, on), MPI_ERR_COUNT);
  BAD(MPI_Gather(&word, 1, open_type, words, 1, MPI_INT, 0, on), MPI_ERR_TYPE);
  BAD(MPI_Gather(&word, 1, MPI_INT, words, -1, MPI_INT, me, on), MPI_ERR_COUNT);
  BAD(MPI_Gather(&word, 1, MPI_INT, words, 1, open_type, me, on), MPI_ERR_TYPE);
  BAD(MPI_Gatherv(&word, 1, MPI_INT, words, ones, ones, MPI_INT, -9, on), MPI_ERR_ROOT);
  BAD(MPI_Gatherv(&word, 1, MPI_INT, words, minus, ones, MPI_INT, me, on), MPI_ERR_COUNT);
  MPICH_CRASHES(BAD(MPI_Scatter(words, 1, MPI_INT, &word, 1, MPI_INT, n, on), MPI_ERR_ROOT));
  BAD(MPI_Scatter(words, 1, MPI_INT, &word, -1, MPI_INT, 0, on), MPI_ERR_COUNT);
  BAD(MPI_Scatter(words, -1, MPI_INT, &word, 1, MPI_INT, me, on), MPI_ERR_COUNT);
  BAD(MPI_Scatterv(words, minus, ones, MPI_INT, &word, 1, MPI_INT, me, on), MPI_ERR_COUNT);
  BAD(MPI_Scatterv(words, ones, ones, MPI_INT, &word, 1, MPI_INT, n, on), MPI_ERR_ROOT);
  BAD(MPI_Allgather(&word, -1, MPI_INT, words, 1, MPI_INT, on), MPI_ERR_COUNT);
  BAD(MPI_Allgather(&word, 1, MPI_INT, words, -1, MPI_INT, on), MPI_ERR_COUNT);
  BAD(MPI_Allgatherv(&word, 1, MPI_INT, words, minus, ones, MPI_INT, on), MPI_ERR_COUNT);
  BAD(MPI_Alltoall(words, -1, MPI_INT, words + 32, 1, MPI_INT, on), MPI_ERR_COUNT);
  BAD(MPI_Alltoall(words, 1, open_type, words + 32, 1, MPI_INT, on), MPI_ERR_TYPE);
  BAD(MPI_Alltoallv(words, minus, ones, MPI_INT, words + 32, ones, ones, MPI_INT, on),
      MPI_ERR_COUNT);
  BAD(MPI_Alltoallv(words, ones, ones, MPI_INT, words + 32, minus, ones, MPI_INT, on),
      MPI_ERR_COUNT);
  BAD(MPI_Reduce(&word, words, 1, MPI_INT, MPI_SUM, n, on), MPI_ERR_ROOT);
  BAD(MPI_Reduce(&word, words, 1, MPI_INT, MPI_MINLOC, 0, on), MPI_ERR_OP);
  MPICH_CRASHES(BAD(MPI_Allreduce(&word, words, -1, MPI_INT, MPI_SUM, on), MPI_ERR_COUNT));
  BAD(MPI_Allreduce(&word, words, 1, MPI_DOUBLE, MPI_BXOR, on), MPI_ERR_OP);
  BAD(MPI_Allreduce(&word, words, 1, MPI_COMPLEX, MPI_MAX, on), MPI_ERR_OP);
  BAD(MPI_Allreduce(&word, words, 1, MPI_2INT, MPI_SUM, on), MPI_ERR_OP);
  MPICH_CRASHES(BAD(MPI_Reduce_scatter(words, &word, ones, MPI_FLOAT, MPI_LAND, on), MPI_ERR_OP));
#ifndef NATIVE /* MPICH 4.0.2 aborts, or takes them */
  BAD(MPI_Scan(&word, words, -1, MPI_INT, MPI_SUM, on), MPI_ERR_COUNT);
  BAD(MPI_Reduce_scatter(words, &word, minus, MPI_INT, MPI_SUM, on), MPI_ERR_COUNT);
  BAD(MPI_Bcast((void *)0, 1, MPI_INT, 0, on), MPI_ERR_BUFFER);
  BAD(MPI_Allreduce((void *)0, words, 1, MPI_INT, MPI_SUM, on), MPI_ERR_BUFFER);
  BAD(MPI_Allgatherv(&word, 1, MPI_INT, words, (int *)0, ones, MPI_INT, on), MPI_ERR_ARG);
  BAD(MPI_Allgatherv(&word, 1, MPI_INT, words, ones, (int *)0, MPI_INT, on), MPI_ERR_ARG);
  BAD(MPI_Allreduce(&word, words, 1, open_type, MPI_SUM, on), MPI_ERR_TYPE);
#endif
}

static void types()
{
  MPI_Datatype type, predefined = MPI_DOUBLE, kinds[2] = {MPI_INT, MPI_CHAR};
  MPI_Aint place = 0, places[2] = {0, 8};
  int lengths[2] = {1, -1}, good[2] = {1, 1};
  char room[8];

  WRONG(MPI_Type_contiguous(-1, MPI_INT, &type), MPI_ERR_COUNT);
  WRONG(MPI_Type_contiguous(1, MPI_INT, (MPI_Datatype *)0), MPI_ERR_ARG);
  WRONG(MPI_Type_vector(-1, 1, 1, MPI_INT, &type), MPI_ERR_COUNT);
  WRONG(MPI_Type_hvector(-1, 1, (MPI_Aint)4, MPI_INT, &type), MPI_ERR_COUNT);
  WRONG(MPI_Type_indexed(-1, good, good, MPI_INT, &type), MPI_ERR_COUNT);
  WRONG(MPI_Type_hindexed(-1, good, places, MPI_INT, &type), MPI_ERR_COUNT);
  WRONG(MPI_Type_struct(-1, good, places, kinds, &type), MPI_ERR_COUNT);
  WRONG(MPI_Type_free(&predefined), MPI_ERR_TYPE);
  WRONG(MPI_Type_size(MPI_INT, (int *)0), MPI_ERR_ARG);
  WRONG(MPI_Type_extent(MPI_INT, (MPI_Aint *)0), MPI_ERR_ARG);
  WRONG(MPI_Type_lb(MPI_INT, (MPI_Aint *)0), MPI_ERR_ARG);
  WRONG(MPI_Type_ub(MPI_INT, (MPI_Aint *)0), MPI_ERR_ARG);
  MPICH_CRASHES(WRONG(MPI_Type_commit((MPI_Datatype *)0), MPI_ERR_ARG));
  MPICH_CRASHES(WRONG(MPI_Type_free((MPI_Datatype *)0), MPI_ERR_ARG));
  WRONG(MPI_Address(room, (MPI_Aint *)0), MPI_ERR_ARG);
  position = 0;
  BAD(MPI_Pack(words, -1, MPI_INT, room, sizeof room, &position, on), MPI_ERR_COUNT);
  BAD(MPI_Pack(words, 1, open_type, room, sizeof room, &position, on), MPI_ERR_TYPE);
  BAD(MPI_Unpack(room, sizeof room, &position, words, -1, MPI_INT, on), MPI_ERR_COUNT);
  BAD(MPI_Pack_size(-1, MPI_INT, on, &count), MPI_ERR_COUNT);
  BAD(MPI_Pack_size(1, MPI_INT, on, (int *)0), MPI_ERR_ARG);
#ifndef NATIVE /* MPICH has other classes, or looks at none of these */
  WRONG(MPI_Type_vector(1, -1, 1, MPI_INT, &type), MPI_ERR_COUNT);
  WRONG(MPI_Type_hvector(1, -1, (MPI_Aint)4, MPI_INT, &type), MPI_ERR_COUNT);
  WRONG(MPI_Type_indexed(2, lengths, good, MPI_INT, &type), MPI_ERR_COUNT);
  WRONG(MPI_Type_hindexed(2, lengths, places, MPI_INT, &type), MPI_ERR_COUNT);
  WRONG(MPI_Type_struct(2, lengths, places, kinds, &type), MPI_ERR_COUNT);
  WRONG(MPI_Type_indexed(2, (int *)0, good, MPI_INT, &type), MPI_ERR_ARG);
  WRONG(MPI_Type_struct(2, good, places, (MPI_Datatype *)0, &type), MPI_ERR_ARG);
  places[1] = 0x7fffffffffffffffL;
  WRONG(MPI_Type_struct(2, good, places, kinds, &type), MPI_ERR_ARG);
  BAD(MPI_Pack(words, 3, MPI_INT, room, sizeof room, &position, on), MPI_ERR_TRUNCATE);
  BAD(MPI_Unpack(room, sizeof room, &position, words, 3, MPI_INT, on), MPI_ERR_TRUNCATE);
  position = -1;
  BAD(MPI_Pack(words, 1, MPI_INT, room, sizeof room, &position, on), MPI_ERR_ARG);
  position = 9;
  BAD(MPI_Unpack(room, sizeof room, &position, words, 0, MPI_INT, on), MPI_ERR_ARG);
  BAD(MPI_Pack(words, 1, MPI_INT, room, sizeof room, (int *)0, on), MPI_ERR_ARG);
  BAD(MPI_Pack(words, 1, MPI_INT, room, -1, &position, on), MPI_ERR_COUNT);
  position = 0;
  BAD(MPI_Pack(words, 1, MPI_INT, (void *)0, 8, &position, on), MPI_ERR_BUFFER);
#endif
  /* Bounds are no data. */
#ifdef MPI_UB /* MPI-3 has none */
  MPICH_TAKES(BAD(MPI_Send(words, 1, MPI_UB, me, 0, on), MPI_ERR_TYPE));
#endif
}

static void groups()
{
  MPI_Group world, made, empty = MPI_GROUP_EMPTY;
  MPI_Comm comm;
  int ranks[2], range[1][3], two[2][3];

  DOES(MPI_Comm_group(MPI_COMM_WORLD, &world));
  ranks[0] = n;
  WRONG(MPI_Group_incl(world, 1, ranks, &made), MPI_ERR_RANK);
  WRONG(MPI_Group_excl(world, 1, ranks, &made), MPI_ERR_RANK);
  WRONG(MPI_Group_translate_ranks(world, 1, ranks, world, &count), MPI_ERR_RANK);
  ranks[0] = -9;
  WRONG(MPI_Group_incl(world, 1, ranks, &made), MPI_ERR_RANK);
  ranks[0] = ranks[1] = 0;
  MPICH_TAKES(WRONG(MPI_Group_excl(world, 2, ranks, &made), MPI_ERR_RANK));
  range[0][0] = 0, range[0][1] = 0, range[0][2] = 0;
  WRONG(MPI_Group_range_incl(world, 1, range, &made), MPI_ERR_ARG);
  WRONG(MPI_Group_range_excl(world, 1, range, &made), MPI_ERR_ARG);
  range[0][2] = 1, range[0][1] = n;
  MPICH_DIFFERS(WRONG(MPI_Group_range_incl(world, 1, range, &made), MPI_ERR_RANK));
  MPICH_DIFFERS(WRONG(MPI_Group_range_excl(world, 1, range, &made), MPI_ERR_RANK));
  two[0][0] = two[0][1] = two[1][0] = two[1][1] = 0, two[0][2] = two[1][2] = 1;
  MPICH_DIFFERS(WRONG(MPI_Group_range_excl(world, 2, two, &made), MPI_ERR_RANK));
  WRONG(MPI_Group_size(world, (int *)0), MPI_ERR_ARG);
  WRONG(MPI_Group_rank(world, (int *)0), MPI_ERR_ARG);
  WRONG(MPI_Group_compare(world, world, (int *)0), MPI_ERR_ARG);
  WRONG(MPI_Group_free((MPI_Group *)0), MPI_ERR_ARG);
  WRONG(MPI_Group_incl(world, -1, ranks, &made), MPI_ERR_ARG);
  WRONG(MPI_Group_translate_ranks(world, -1, ranks, world, &count), MPI_ERR_ARG);
#ifndef NATIVE /* MPICH says that the group is wrong, or crashes */
  WRONG(MPI_Group_incl(world, 2, ranks, &made), MPI_ERR_RANK);
  WRONG(MPI_Group_range_incl(world, 2, two, &made), MPI_ERR_RANK);
  WRONG(MPI_Group_incl(world, 1, (int *)0, &made), MPI_ERR_ARG);
  WRONG(MPI_Group_union(world, world, (MPI_Group *)0), MPI_ERR_ARG);
#endif
  DOES(MPI_Group_free(&empty)); /* predefined, but a group like any */
  CHECK(empty == MPI_GROUP_NULL);
  /* A group that the communicator has not. */
  if (n > 1) {
    WRONG_ON(MPI_COMM_SELF, MPI_Comm_create(MPI_COMM_SELF, world, &comm), MPI_ERR_GROUP);
  }
  DOES(MPI_Group_free(&world));
}

static void communicators()
{
  MPI_Comm world = MPI_COMM_WORLD, self = MPI_COMM_SELF, made;
  MPI_Errhandler fatal = MPI_ERRORS_ARE_FATAL;
  int key = MPI_TAG_UB;
  char text[MPI_MAX_ERROR_STRING];

  WRONG(MPI_Comm_free(&world), MPI_ERR_COMM);
  WRONG_ON(MPI_COMM_SELF, MPI_Comm_free(&self), MPI_ERR_COMM);
  WRONG(MPI_Comm_free((MPI_Comm *)0), MPI_ERR_ARG);
  BAD(MPI_Comm_size(on, (int *)0), MPI_ERR_ARG);
  BAD(MPI_Comm_rank(on, (int *)0), MPI_ERR_ARG);
  BAD(MPI_Comm_group(on, (MPI_Group *)0), MPI_ERR_ARG);
  MPICH_TAKES(BAD(MPI_Comm_split(on, -5, 0, &made), MPI_ERR_ARG));
  BAD(MPI_Comm_dup(on, (MPI_Comm *)0), MPI_ERR_ARG);
  BAD(MPI_Comm_create(on, MPI_GROUP_EMPTY, (MPI_Comm *)0), MPI_ERR_ARG);
  BAD(MPI_Comm_split(on, 0, 0, (MPI_Comm *)0), MPI_ERR_ARG);
  BAD(MPI_Comm_test_inter(on, (int *)0), MPI_ERR_ARG);
  MPICH_TAKES(BAD(MPI_Comm_remote_size(on, &count), MPI_ERR_COMM));
  MPICH_CRASHES(BAD(MPI_Intercomm_merge(on, 0, &made), MPI_ERR_COMM));
  BAD(MPI_Intercomm_create(on, n, MPI_COMM_WORLD, 0, 0, &made), MPI_ERR_RANK);
  BAD(MPI_Attr_put(on, MPI_HOST, words), MPI_ERR_KEYVAL);
  BAD(MPI_Attr_delete(on, MPI_TAG_UB), MPI_ERR_KEYVAL);
  BAD(MPI_Attr_get(on, MPI_TAG_UB, (void *)0, &flag), MPI_ERR_ARG);
  BAD(MPI_Attr_get(on, MPI_TAG_UB, text, (int *)0), MPI_ERR_ARG);
  WRONG(MPI_Keyval_free(&key), MPI_ERR_KEYVAL);
  WRONG(MPI_Keyval_free((int *)0), MPI_ERR_ARG);
  WRONG(MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, (int *)0, (void *)0), MPI_ERR_ARG);
  WRONG(MPI_Op_create((MPI_User_function *)0, 1, (MPI_Op *)&count), MPI_ERR_ARG);
  WRONG(MPI_Errhandler_create((MPI_Handler_function *)listen, (MPI_Errhandler *)0), MPI_ERR_ARG);
  BAD(MPI_Errhandler_get(on, (MPI_Errhandler *)0), MPI_ERR_ARG);
  WRONG(MPI_Get_processor_name((char *)0, &count), MPI_ERR_ARG);
  WRONG(MPI_Get_processor_name(text, (int *)0), MPI_ERR_ARG);
  WRONG(MPI_Error_string(0, (char *)0, &count), MPI_ERR_ARG);
  WRONG(MPI_Error_class(0, (int *)0), MPI_ERR_ARG);
  WRONG(MPI_Get_version((int *)0, &count), MPI_ERR_ARG);
  WRONG(MPI_Initialized((int *)0), MPI_ERR_ARG);
  WRONG(MPI_Init(0, 0), MPI_ERR_OTHER);
  DOES(MPI_Errhandler_free(&fatal)); /* predefined: only this name of it goes */
#ifndef NATIVE
  WRONG(MPI_Errhandler_create((MPI_Handler_function *)0, &fatal), MPI_ERR_ARG);
#endif
}

static void topologies()
{
  MPI_Comm made;
  int dims[2] = {1, 1}, none[2] = {0, 0}, coords[2] = {0, 0}, index[2] = {1, 2}, edges[2] = {1, 0};

  BAD(MPI_Cart_create(on, -1, dims, none, 0, &made), MPI_ERR_ARG);
  BAD(MPI_Cart_create(on, 2, (int *)0, none, 0, &made), MPI_ERR_ARG);
  BAD(MPI_Cart_create(on, 2, dims, (int *)0, 0, &made), MPI_ERR_ARG);
  dims[1] = n + 1;
  BAD(MPI_Cart_create(on, 2, dims, none, 0, &made), MPI_ERR_ARG);
  dims[1] = -1;
  MPICH_TAKES(BAD(MPI_Cart_create(on, 2, dims, none, 0, &made), MPI_ERR_DIMS));
  dims[1] = 1;
  BAD(MPI_Cart_create(on, 2, dims, none, 0, (MPI_Comm *)0), MPI_ERR_ARG);
  BAD(MPI_Cartdim_get(on, &count), MPI_ERR_TOPOLOGY);
  BAD(MPI_Graphdims_get(on, &count, &flag), MPI_ERR_TOPOLOGY);
  BAD(MPI_Cart_rank(on, coords, &count), MPI_ERR_TOPOLOGY);
  BAD(MPI_Cart_coords(on, 0, 2, coords), MPI_ERR_TOPOLOGY);
  MPICH_CRASHES(BAD(MPI_Cart_get(on, 2, words, words, words), MPI_ERR_TOPOLOGY));
  BAD(MPI_Cart_shift(on, 0, 1, &count, &flag), MPI_ERR_TOPOLOGY);
  BAD(MPI_Cart_sub(on, dims, &made), MPI_ERR_TOPOLOGY);
  BAD(MPI_Graph_get(on, 2, 2, words, words), MPI_ERR_TOPOLOGY);
  BAD(MPI_Graph_neighbors(on, 0, 2, words), MPI_ERR_TOPOLOGY);
  BAD(MPI_Graph_neighbors_count(on, 0, &count), MPI_ERR_TOPOLOGY);
  BAD(MPI_Topo_test(on, (int *)0), MPI_ERR_ARG);
  if (n >= 2) {
    edges[0] = 2;
    MPICH_TAKES(BAD(MPI_Graph_create(on, 2, index, edges, 0, &made), MPI_ERR_ARG));
    edges[0] = 1, index[1] = 0;
    BAD(MPI_Graph_create(on, 2, index, edges, 0, &made), MPI_ERR_ARG);
  }
  dims[0] = 5, dims[1] = 0;
  WRONG(MPI_Dims_create(4, 2, dims), MPI_ERR_DIMS);
  dims[0] = -2;
  WRONG(MPI_Dims_create(4, 2, dims), MPI_ERR_DIMS);
#ifndef NATIVE /* MPICH has class ARG, or looks at none of these */
  WRONG(MPI_Dims_create(0, 2, none), MPI_ERR_DIMS);
  WRONG(MPI_Dims_create(4, -1, none), MPI_ERR_DIMS);
  WRONG(MPI_Dims_create(4, 2, (int *)0), MPI_ERR_ARG);
#endif

  /* A grid of one, whatever there is beside it. */
  dims[0] = dims[1] = 1;
  DOES(MPI_Cart_create(MPI_COMM_SELF, 2, dims, none, 0, &made));
  install_handler(made);
  WRONG_ON(made, MPI_Graph_get(made, 2, 2, words, words), MPI_ERR_TOPOLOGY);
  MPICH_TAKES(WRONG_ON(made, MPI_Cart_get(made, 1, words, words, words), MPI_ERR_ARG));
  WRONG_ON(made, MPI_Cart_coords(made, 1, 2, words), MPI_ERR_RANK);
  WRONG_ON(made, MPI_Cart_coords(made, 0, 1, words), MPI_ERR_ARG);
  coords[1] = 1;
  WRONG_ON(made, MPI_Cart_rank(made, coords, &count), MPI_ERR_ARG);
  WRONG_ON(made, MPI_Cart_shift(made, 2, 1, &count, &flag), MPI_ERR_ARG);
  WRONG_ON(made, MPI_Cart_shift(made, -1, 1, &count, &flag), MPI_ERR_ARG);
  WRONG_ON(made, MPI_Cart_rank(made, (int *)0, &count), MPI_ERR_ARG);
  WRONG_ON(made, MPI_Cart_shift(made, 0, 1, (int *)0, &flag), MPI_ERR_ARG);
  DOES(MPI_Comm_free(&made));
}

/* Collectives and topologies are for one group. */
static void intercommunicator()
{
  MPI_Comm half, inter, made;
  MPI_Group all;
  int ones[64], i;
  for (i = 0; i < 64; i++) ones[i] = 1;
  if (n < 2) return;
  DOES(MPI_Comm_split(MPI_COMM_WORLD, me % 2, 0, &half));
  DOES(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 3, &inter));
  install_handler(inter);
#define NOT_HERE(call, class_wanted) WRONG_ON(inter, call, class_wanted)
  NOT_HERE(MPI_Cart_create(inter, 1, ones, ones, 0, &made), MPI_ERR_COMM);
  NOT_HERE(MPI_Graph_create(inter, 0, ones, ones, 0, &made), MPI_ERR_COMM);
  MPICH_TAKES(NOT_HERE(MPI_Cart_map(inter, 1, ones, ones, &count), MPI_ERR_COMM));
  NOT_HERE(MPI_Intercomm_create(inter, 0, MPI_COMM_WORLD, 0, 0, &made), MPI_ERR_COMM);
  NOT_HERE(MPI_Send(words, 1, MPI_INT, 64, 0, inter), MPI_ERR_RANK);
  NOT_HERE(MPI_Scan(words, words + 1, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_COMM);
  NOT_HERE(MPI_Bcast(words, 1, MPI_INT, 64, inter), MPI_ERR_ROOT);
  MPICH_DIFFERS(NOT_HERE(MPI_Gather(words, 1, MPI_INT, words, 1, MPI_INT, MPI_ANY_SOURCE, inter), MPI_ERR_ROOT);)
  NOT_HERE(MPI_Scatter(words, 1, MPI_INT, words, 1, MPI_INT, 64, inter), MPI_ERR_ROOT);
  NOT_HERE(MPI_Reduce(words, words, 1, MPI_INT, MPI_OP_NULL, 0, inter), MPI_ERR_OP);
  NOT_HERE(MPI_Reduce(words, words, 1, MPI_INT, MPI_SUM, 64, inter), MPI_ERR_ROOT);
  MPICH_DIFFERS(NOT_HERE(MPI_Allreduce(words, words, 1, MPI_DATATYPE_NULL, MPI_SUM, inter), MPI_ERR_TYPE);)
  MPICH_CRASHES(NOT_HERE(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, words, 1, MPI_INT, inter), MPI_ERR_BUFFER);)
  MPICH_CRASHES(NOT_HERE(MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, words, 1, MPI_INT, inter), MPI_ERR_BUFFER);)
  MPICH_CRASHES(NOT_HERE(MPI_Allreduce(MPI_IN_PLACE, words, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_BUFFER);)
  MPICH_CRASHES(NOT_HERE(MPI_Reduce_scatter(MPI_IN_PLACE, words, ones, MPI_INT, MPI_SUM, inter), MPI_ERR_BUFFER);)
  MPICH_CRASHES(NOT_HERE(MPI_Alltoallv(words, ones, ones, MPI_INT, words, (int *)0, ones, MPI_INT, inter), MPI_ERR_ARG);)
  DOES(MPI_Comm_group(MPI_COMM_WORLD, &all));
  NOT_HERE(MPI_Comm_create(inter, all, &made), MPI_ERR_GROUP);
  NOT_HERE(MPI_Comm_create(inter, MPI_GROUP_EMPTY, (MPI_Comm *)0), MPI_ERR_ARG);
  MPICH_TAKES(NOT_HERE(MPI_Comm_split(inter, -5, 0, &made), MPI_ERR_ARG));
  DOES(MPI_Group_free(&all));
  DOES(MPI_Comm_free(&inter));
  DOES(MPI_Comm_free(&half));
}

int main(int argc, char **argv)
{
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  DOES(MPI_Comm_dup(MPI_COMM_WORLD, &on));
  DOES(MPI_Type_vector(2, 1, 2, MPI_INT, &open_type));
  install_handler(MPI_COMM_WORLD);
  install_handler(MPI_COMM_SELF);
  install_handler(on);
  point_to_point();
  without_status();
  requests();
  collectives();
  types();
  groups();
  communicators();
  topologies();
  intercommunicator();
  DOES(MPI_Type_free(&open_type));
  DOES(MPI_Comm_free(&on));
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
