/* Datatypes: bounds, holes, the received data, and their state after they are freed. */
#include "mpi_check.h"
#include <stddef.h>

#define N 40

int me, n, peer;
struct part { double x; int where[3]; char tag; };

MPI_Datatype made(MPI_Datatype type)
{
  DOES(MPI_Type_commit(&type));
  return type;
}

bounds(MPI_Datatype type, long lb, long ub, int size)
{
  MPI_Aint extent = -1, first = -1, last = -1;
  int bytes = -1;
  DOES(MPI_Type_extent(type, &extent));
  DOES(MPI_Type_lb(type, &first));
  DOES(MPI_Type_ub(type, &last));
  DOES(MPI_Type_size(type, &bytes));
  if (extent != ub - lb || first != lb || last != ub || bytes != size)
    printf("lb %ld ub %ld size %d\n", (long)first, (long)last, bytes);
  CHECK(extent == ub - lb && first == lb && last == ub && bytes == size);
}

MPI_Datatype part_type()
{
  int lengths[3] = {1, 3, 1};
  MPI_Aint places[3];
  MPI_Datatype types[3] = {MPI_DOUBLE, MPI_INT, MPI_CHAR}, type;
  places[0] = offsetof(struct part, x);
  places[1] = offsetof(struct part, where);
  places[2] = offsetof(struct part, tag);
  DOES(MPI_Type_struct(3, lengths, places, types, &type));
  return type;
}

/* Constructors and their inquiries; predefined pairs too. */
said()
{
  MPI_Datatype vector, type, again;
  int blocks[3] = {2, 0, 1}, at[3] = {5, 100, 0};
  bounds(MPI_DOUBLE_INT, 0L, 16L, 12);
  bounds(MPI_SHORT_INT, 0L, 8L, 6);
  bounds(MPI_2INT, 0L, 8L, 8);
  DOES(MPI_Type_vector(3, 2, 4, MPI_INT, &vector));
  bounds(vector, 0L, 40L, 24);
  DOES(MPI_Type_vector(3, 2, -4, MPI_INT, &type));
  bounds(type, -32L, 8L, 24);
  DOES(MPI_Type_free(&type));
  CHECK(type == MPI_DATATYPE_NULL);
  DOES(MPI_Type_hvector(2, 1, (MPI_Aint)11, MPI_CHAR, &type));
  bounds(type, 0L, 12L, 2);
  DOES(MPI_Type_free(&type));
  DOES(MPI_Type_indexed(3, blocks, at, MPI_SHORT, &type));
  bounds(type, 0L, 14L, 6);
  DOES(MPI_Type_free(&type));
  type = part_type();
  bounds(type, 0L, 24L, 21);
  DOES(MPI_Type_free(&type));
  DOES(MPI_Type_contiguous(0, MPI_INT, &type));
  bounds(type, 0L, 0L, 0);
  DOES(MPI_Type_contiguous(2147483647, type, &again));
  bounds(again, 0L, 0L, 0);
  DOES(MPI_Type_free(&type));
  DOES(MPI_Type_free(&again));
  DOES(MPI_Type_free(&vector));
}

#ifdef MPI_UB
/* Markers stay; the widest wins. MPICH 4 says that the last one does. */
marked_bounds()
{
  MPI_Datatype type, marked, again, types[2];
  MPI_Aint places[2];
  int lengths[2] = {1, 1};
  DOES(MPI_Type_vector(2, 1, 4, MPI_INT, &type));
  types[0] = type, types[1] = MPI_UB;
  places[0] = 0, places[1] = 16;
  DOES(MPI_Type_struct(2, lengths, places, types, &marked));
  bounds(marked, 0L, 16L, 8);
  types[0] = marked, places[1] = 4;
  DOES(MPI_Type_struct(2, lengths, places, types, &again));
#ifndef NATIVE
  bounds(again, 0L, 16L, 8);
#endif
  DOES(MPI_Type_free(&again));
  types[0] = marked, types[1] = MPI_LB, places[1] = -4;
  DOES(MPI_Type_struct(2, lengths, places, types, &again));
  bounds(again, -4L, 16L, 8);
  DOES(MPI_Type_free(&again));
  DOES(MPI_Type_contiguous(3, marked, &again));
  bounds(again, 0L, 48L, 24);
  DOES(MPI_Type_free(&again));
  DOES(MPI_Type_free(&marked));
  DOES(MPI_Type_free(&type));
}
#else /* MPI-3 has none */
marked_bounds() {}
#endif

/* A matrix goes out by rows and comes back by columns. */
transposed()
{
  static int matrix[N][N], turned[N][N];
  MPI_Datatype column, columns;
  MPI_Request request;
  MPI_Status status;
  int i, j, items = -1;
  DOES(MPI_Type_vector(N, 1, N, MPI_INT, &column));
  DOES(MPI_Type_hvector(N, 1, (MPI_Aint)sizeof(int), column, &columns));
  DOES(MPI_Type_free(&column));
  columns = made(columns);
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) matrix[i][j] = me * 100000 + i * N + j;
  DOES(MPI_Irecv(turned, 1, columns, peer, 1, MPI_COMM_WORLD, &request));
  DOES(MPI_Type_free(&columns));
  DOES(MPI_Send(matrix, N * N, MPI_INT, peer, 1, MPI_COMM_WORLD));
  DOES(MPI_Wait(&request, &status));
  DOES(MPI_Get_count(&status, MPI_INT, &items));
  CHECK(items == N * N);
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) CHECK(turned[j][i] == peer * 100000 + i * N + j);
}

/* Structures, and how many of their elements a shorter message has. */
structures()
{
  static struct part out[1000], in[1000];
  MPI_Datatype type = made(part_type());
  MPI_Status status;
  int i, count = -1, elements = -1;
  for (i = 0; i < 1000; i++) {
    out[i].x = i + me, out[i].where[0] = i, out[i].where[2] = -i, out[i].tag = (char)('a' + i % 26);
    memset(&in[i], 77, sizeof in[i]);
  }
  DOES(MPI_Sendrecv(out, 1000, type, peer, 2, in, 1000, type, peer, 2, MPI_COMM_WORLD, &status));
  DOES(MPI_Get_count(&status, type, &count));
  DOES(MPI_Get_elements(&status, type, &elements));
  CHECK(count == 1000 && elements == 5000);
  for (i = 0; i < 1000; i++) {
    CHECK(in[i].x == i + peer && in[i].where[0] == i && in[i].where[2] == -i);
    CHECK(in[i].tag == 'a' + i % 26 && ((char *)&in[i])[22] == 77);
  }
  if (me % 2 == 0) {
    DOES(MPI_Send(out, 3, type, peer, 3, MPI_COMM_WORLD));
    DOES(MPI_Send(out, 1, MPI_DOUBLE, peer, 3, MPI_COMM_WORLD));
    DOES(MPI_Send(out, 0, type, peer, 3, MPI_COMM_WORLD));
  }
  if (me % 2 == 1 || peer == me) {
    DOES(MPI_Recv(in, 1000, type, peer, 3, MPI_COMM_WORLD, &status));
    DOES(MPI_Get_elements(&status, type, &elements));
    CHECK(elements == 15);
    DOES(MPI_Recv(in, 1000, type, peer, 3, MPI_COMM_WORLD, &status));
    DOES(MPI_Get_count(&status, type, &count));
    DOES(MPI_Get_elements(&status, type, &elements));
    CHECK(count == MPI_UNDEFINED && elements == 1);
    DOES(MPI_Recv(in, 1000, type, peer, 3, MPI_COMM_WORLD, &status));
    DOES(MPI_Get_count(&status, type, &count));
    DOES(MPI_Get_elements(&status, type, &elements));
    CHECK(count == 0 && elements == 0);
  }
  DOES(MPI_Type_free(&type));
}

/* Absolute addresses from MPI_BOTTOM; long enough for every protocol. */
absolute()
{
  static double here[60000], there[60000], got[120000];
  int lengths[2] = {60000, 60000}, i;
  MPI_Aint places[2], base;
  MPI_Datatype type;
  MPI_Request request;
  for (i = 0; i < 60000; i++) here[i] = i + me, there[i] = -i - me;
  DOES(MPI_Address(there, &places[0]));
  DOES(MPI_Address(here, &places[1]));
  DOES(MPI_Address(here + 1, &base));
  CHECK(base - places[1] == (MPI_Aint)sizeof(double));
  DOES(MPI_Type_hindexed(2, lengths, places, MPI_DOUBLE, &type));
  type = made(type);
  DOES(MPI_Isend(MPI_BOTTOM, 1, type, peer, 4, MPI_COMM_WORLD, &request));
  DOES(MPI_Type_free(&type));
  DOES(MPI_Recv(got, 120000, MPI_DOUBLE, peer, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  DOES(MPI_Wait(&request, MPI_STATUS_IGNORE));
  for (i = 0; i < 60000; i++) CHECK(got[i] == -i - peer && got[60000 + i] == i + peer);
}

/* Forty levels. */
deep()
{
  MPI_Datatype type = MPI_INT, next;
  static int out[2048], in[32];
  int level, i, size = 0, at = 0;
  for (level = 0; level < 40; level++) {
    if (level % 8 == 0) DOES(MPI_Type_vector(2, 1, 2, type, &next));
    else DOES(MPI_Type_contiguous(1, type, &next));
    if (type != MPI_INT) DOES(MPI_Type_free(&type));
    type = next;
  }
  type = made(type);
  DOES(MPI_Type_size(type, &size));
  CHECK(size == 128);
  for (i = 0; i < 2048; i++) out[i] = i;
  DOES(MPI_Pack(out, 1, type, in, (int)sizeof in, &at, MPI_COMM_WORLD));
  CHECK(at == 128 && in[0] == 0 && in[1] == 2 && in[2] == 6);
  DOES(MPI_Type_free(&type));
}

/* As many items as there can be, of types without bytes; and a short message into all that room. */
empty()
{
  MPI_Datatype none, far;
  MPI_Status status;
  int most = 2147483647, word = me, count = -1;
  DOES(MPI_Type_contiguous(0, MPI_DOUBLE, &none));
  none = made(none);
  DOES(MPI_Type_create_resized(none, -100, 200, &far));
  far = made(far);
  bounds(far, -100L, 100L, 0);
  DOES(MPI_Sendrecv((void *)0, most, none, peer, 6, (void *)0, most, far, peer, 6, MPI_COMM_WORLD,
                    &status));
  DOES(MPI_Get_count(&status, none, &count));
  CHECK(count == 0);
  DOES(MPI_Get_elements(&status, none, &count));
  CHECK(count == 0);
  DOES(MPI_Sendrecv(&word, 1, MPI_INT, peer, 7, &count, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, &status));
  CHECK(count == peer);
  DOES(MPI_Bcast((void *)0, most, far, 0, MPI_COMM_WORLD));
  DOES(MPI_Pack_size(most, far, MPI_COMM_WORLD, &count));
  CHECK(count == 0);
  DOES(MPI_Type_free(&none));
  DOES(MPI_Type_free(&far));
}

packed()
{
  char buffer[200];
  int at = 0, size = 0, value = me + 5, back = 0;
  double reals[3] = {1.5, 2.5, 3.5}, copies[3] = {0, 0, 0};
  MPI_Status status;
  DOES(MPI_Pack_size(3, MPI_DOUBLE, MPI_COMM_WORLD, &size));
  CHECK(size >= 24);
  DOES(MPI_Pack(&value, 1, MPI_INT, buffer, 200, &at, MPI_COMM_WORLD));
  DOES(MPI_Pack(reals, 3, MPI_DOUBLE, buffer, 200, &at, MPI_COMM_WORLD));
  DOES(MPI_Sendrecv_replace(buffer, at, MPI_PACKED, peer, 5, peer, 5, MPI_COMM_WORLD, &status));
  DOES(MPI_Get_count(&status, MPI_PACKED, &size));
  CHECK(size == at);
  at = 0;
  DOES(MPI_Unpack(buffer, size, &at, &back, 1, MPI_INT, MPI_COMM_WORLD));
  DOES(MPI_Unpack(buffer, size, &at, copies, 3, MPI_DOUBLE, MPI_COMM_WORLD));
  CHECK(at == size && back == peer + 5 && copies[2] == 3.5);
}

/* The same by the names that came later. */
later_names()
{
  int lengths[2] = {2, 1}, at[2] = {4, 0};
  MPI_Aint places[2] = {16, 0}, extent = 0, lb = 1, here;
  MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type, again;
  DOES(MPI_Type_create_hvector(3, 1, (MPI_Aint)12, MPI_INT, &type));
  bounds(type, 0L, 28L, 12);
  DOES(MPI_Type_free(&type));
  DOES(MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &type));
  bounds(type, 0L, 24L, 12);
  DOES(MPI_Type_free(&type));
  DOES(MPI_Type_create_indexed_block(2, 2, at, MPI_SHORT, &type));
  bounds(type, 0L, 12L, 8);
  DOES(MPI_Type_free(&type));
  DOES(MPI_Type_create_struct(2, lengths, places, types, &type));
  bounds(type, 0L, 24L, 16);
  DOES(MPI_Type_create_resized(type, (MPI_Aint)-8, (MPI_Aint)64, &again));
  bounds(again, -8L, 56L, 16);
  DOES(MPI_Type_free(&type));
  DOES(MPI_Type_dup(again, &type));
  DOES(MPI_Type_get_extent(type, &lb, &extent));
  CHECK(lb == -8 && extent == 64);
  DOES(MPI_Type_get_true_extent(type, &lb, &extent));
  CHECK(lb == 0 && extent == 24);
  DOES(MPI_Type_free(&type));
  DOES(MPI_Type_free(&again));
  DOES(MPI_Get_address(at, &here));
  CHECK(here == (MPI_Aint)at);
}

/* Fortran's types by their sizes, and names. */
inquired()
{
  char name[MPI_MAX_OBJECT_NAME] = "x";
  int length = -1;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  DOES(MPI_Type_match_size(MPI_TYPECLASS_REAL, 4, &type));
  MPICH_DIFFERS(CHECK(type == MPI_REAL)); /* MPI_REAL4 */
  DOES(MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type));
  MPICH_DIFFERS(CHECK(type == MPI_DOUBLE_PRECISION));
  DOES(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &type));
  MPICH_DIFFERS(CHECK(type == MPI_DOUBLE_COMPLEX));
  DOES(MPI_Type_match_size(MPI_TYPECLASS_REAL, 16, &type));
  CHECK(type == MPI_REAL16);
  DOES(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 32, &type));
  CHECK(type == MPI_COMPLEX32);
  DOES(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, &type));
  CHECK(type == MPI_INTEGER2);
  DOES(MPI_Type_get_name(MPI_DOUBLE_INT, name, &length));
  CHECK(length == 14 && strcmp(name, "MPI_DOUBLE_INT") == 0);
  DOES(MPI_Type_set_name(MPI_DOUBLE_INT, "pair"));
  DOES(MPI_Type_get_name(MPI_DOUBLE_INT, name, &length));
  CHECK(length == 4 && strcmp(name, "pair") == 0);
  DOES(MPI_Type_contiguous(3, MPI_INT, &type));
  DOES(MPI_Type_get_name(type, name, &length));
  CHECK(length == 0 && name[0] == '\0');
  DOES(MPI_Type_set_name(type, "triple"));
  DOES(MPI_Type_get_name(type, name, &length));
  CHECK(length == 6 && strcmp(name, "triple") == 0);
  DOES(MPI_Type_free(&type));
}

errors()
{
  MPI_Datatype type = MPI_INT, next = MPI_DATATYPE_NULL;
  int word = 0, at = 0, size = 0;
  char room[4];
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  FAILS(MPI_Type_free(&type), MPI_ERR_TYPE);
  FAILS(MPI_Type_free(&next), MPI_ERR_TYPE);
  FAILS(MPI_Type_contiguous(-1, MPI_INT, &next), MPI_ERR_COUNT);
  FAILS(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &next), MPI_ERR_TYPE);
  FAILS(MPI_Type_size(MPI_DATATYPE_NULL, &size), MPI_ERR_TYPE);
  FAILS(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &next), MPI_ERR_ARG);
  FAILS(MPI_Type_match_size(99, 4, &next), MPI_ERR_ARG);
  FAILS(MPI_Type_set_name(MPI_DATATYPE_NULL, "none"), MPI_ERR_TYPE);
  DOES(MPI_Type_contiguous(2, MPI_INT, &next));
  FAILS(MPI_Send(&word, 1, next, me, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  DOES(MPI_Type_commit(&next));
  DOES(MPI_Type_commit(&next));
  type = next;
  DOES(MPI_Type_free(&next));
#ifndef NATIVE
  FAILS(MPI_Send(&word, 1, type, me, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  at = 2;
  FAILS(MPI_Pack(&word, 1, MPI_INT, room, 4, &at, MPI_COMM_WORLD), MPI_ERR_TRUNCATE);
  CHECK(at == 2);
#endif
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

main(int argc, char **argv)
{
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  peer = (me ^ 1) < n ? me ^ 1 : me;
  said();
  marked_bounds();
  inquired();
  if (peer != me) {
    transposed();
    structures();
    absolute();
  }
  packed();
  deep();
  empty();
  later_names();
  errors();
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
