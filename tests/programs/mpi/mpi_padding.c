/* SPDX-License-Identifier: BSD-3-Clause */
/* Long doubles, whose 6 bytes of padding differ from run to run: in every kind of call that sends. A
 * replay compares the values only. */
#include "mpi_check.h"
#include <unistd.h>

#define MOST 8

typedef struct { long double value; int place; } located;
typedef struct { double first; long double second; } mixed;

int me, n;

/* As a stack leaves it: something else in each run. */
void *dirty(void *memory, size_t bytes)
{
  size_t i;
  for (i = 0; i < bytes; i++) ((unsigned char *)memory)[i] = (unsigned char)(getpid() >> 8 * (i % 2));
  return memory;
}

/* Does not write the padding, as the CPU does not. */
void set(long double *to, long double value) { memcpy(to, &value, 10); }

void messages(void)
{
  long double mine[2], got[2];
  MPI_Request request;
  int next = (me + 1) % n, before = (me + n - 1) % n, i;
  dirty(mine, sizeof mine);
  set(&mine[0], me), set(&mine[1], -me);
  DOES(MPI_Sendrecv(mine, 2, MPI_LONG_DOUBLE, next, 1, got, 2, MPI_LONG_DOUBLE, before, 1,
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  CHECK(got[0] == before && got[1] == -before);
  DOES(MPI_Send_init(mine, 1, MPI_LONG_DOUBLE, next, 2, MPI_COMM_WORLD, &request));
  for (i = 0; i < 2; i++) {
    DOES(MPI_Start(&request));
    DOES(MPI_Recv(got, 1, MPI_LONG_DOUBLE, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    DOES(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(got[0] == before + i * n);
    set(&mine[0], me + n);
  }
  DOES(MPI_Request_free(&request));
}

/* Some 100 kB: by rendezvous. */
void long_message(void)
{
  enum { count = 6000 };
  long double *mine = dirty(malloc(2 * count * sizeof *mine), 2 * count * sizeof *mine);
  long double *got = mine + count;
  int i;
  for (i = 0; i < count; i++) set(&mine[i], me * count + i);
  DOES(MPI_Sendrecv(mine, count, MPI_LONG_DOUBLE, (me + 1) % n, 3, got, count, MPI_LONG_DOUBLE,
                    (me + n - 1) % n, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  for (i = 0; i < count; i++) CHECK(got[i] == (me + n - 1) % n * count + i);
  free(mine);
}

void structures(void)
{
  int lengths[2] = {1, 1}, next = (me + 1) % n, before = (me + n - 1) % n;
  MPI_Aint places[2] = {0, 16};
  MPI_Datatype types[2] = {MPI_DOUBLE, MPI_LONG_DOUBLE}, type;
  mixed mine[2], got[2];
  MPI_Status status;
  int count;
  dirty(mine, sizeof mine);
  mine[0].first = me, mine[1].first = me + 1;
  set(&mine[0].second, me + 2), set(&mine[1].second, me + 3);
  DOES(MPI_Type_create_struct(2, lengths, places, types, &type));
  DOES(MPI_Type_commit(&type));
  DOES(MPI_Sendrecv(mine, 2, type, next, 4, got, 2, type, before, 4, MPI_COMM_WORLD, &status));
  DOES(MPI_Get_elements(&status, type, &count));
  CHECK(count == 4);
  CHECK(got[0].first == before && got[1].second == before + 3);
  DOES(MPI_Type_free(&type));
}

void collectives(void)
{
  long double mine[2 * MOST], got[2 * MOST];
  located one[2], least[2];
  int i;
  dirty(mine, sizeof mine), dirty(got, sizeof got), dirty(one, sizeof one);
  for (i = 0; i < 2 * n; i++) set(&mine[i], 10 * me + i);
  DOES(MPI_Allreduce(mine, got, 2, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  CHECK(got[1] == 5 * n * (n - 1) + n);
  DOES(MPI_Allreduce(mine, got, 1, MPI_C_LONG_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD));
  CHECK(got[0] == 5 * n * (n - 1) && got[1] == 5 * n * (n - 1) + n);
  for (i = 0; i < 2; i++) set(&one[i].value, me * (1 - 2 * i)), one[i].place = me;
  DOES(MPI_Allreduce(one, least, 2, MPI_LONG_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD));
  CHECK(least[0].place == 0 && least[1].place == n - 1);
  DOES(MPI_Allgather(mine, 1, MPI_LONG_DOUBLE, got, 1, MPI_LONG_DOUBLE, MPI_COMM_WORLD));
  CHECK(got[n - 1] == 10 * (n - 1));
  DOES(MPI_Alltoall(mine, 2, MPI_LONG_DOUBLE, got, 2, MPI_LONG_DOUBLE, MPI_COMM_WORLD));
  CHECK(got[2 * n - 1] == 10 * (n - 1) + 2 * me + 1);
  DOES(MPI_Gather(mine, 1, MPI_LONG_DOUBLE, got, 1, MPI_LONG_DOUBLE, 0, MPI_COMM_WORLD));
  DOES(MPI_Scatter(mine, 1, MPI_LONG_DOUBLE, got, 1, MPI_LONG_DOUBLE, 0, MPI_COMM_WORLD));
  CHECK(got[0] == me);
  DOES(MPI_Bcast(mine, 2, MPI_LONG_DOUBLE, n - 1, MPI_COMM_WORLD));
  CHECK(mine[0] == 10 * (n - 1) && mine[1] == 10 * (n - 1) + 1);
  DOES(MPI_Scan(mine, got, 2, MPI_LONG_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
  CHECK(got[0] == 10 * (n - 1));
}

void packed(void)
{
  long double mine[2];
  char memory[64];
  int at = 0, size;
  dirty(mine, sizeof mine);
  set(&mine[0], 1), set(&mine[1], 2);
  DOES(MPI_Pack_size(2, MPI_LONG_DOUBLE, MPI_COMM_WORLD, &size));
  CHECK(size <= (int)sizeof memory);
  DOES(MPI_Pack(mine, 2, MPI_LONG_DOUBLE, memory, sizeof memory, &at, MPI_COMM_WORLD));
  DOES(MPI_Bcast(memory, at, MPI_PACKED, 0, MPI_COMM_WORLD));
}

/* Answers to operations that read, of the window's memory as the target left it. */
void windows(void)
{
  int next = (me + 1) % n, lengths[2] = {1, 1};
  MPI_Aint places[2] = {0, 16};
  MPI_Datatype types[2] = {MPI_DOUBLE, MPI_LONG_DOUBLE}, type;
  struct {
    long double plain[2];
    mixed both;
    located pair;
  } memory, got;
  MPI_Win win;
  dirty(&memory, sizeof memory), dirty(&got, sizeof got);
  set(&memory.plain[0], me), set(&memory.plain[1], 7);
  memory.both.first = me + 1, set(&memory.both.second, me + 2);
  set(&memory.pair.value, me + 3), memory.pair.place = me + 4;
  DOES(MPI_Type_create_struct(2, lengths, places, types, &type));
  DOES(MPI_Type_commit(&type));
  DOES(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  DOES(MPI_Win_fence(0, win));
  DOES(MPI_Get(&got.plain, 1, MPI_LONG_DOUBLE, next, 0, 1, MPI_LONG_DOUBLE, win));
  DOES(MPI_Get(&got.both, 1, type, next, 32, 1, type, win));
  DOES(MPI_Get(&got.pair, 1, MPI_LONG_DOUBLE_INT, next, 64, 1, MPI_LONG_DOUBLE_INT, win));
  DOES(MPI_Get_accumulate(&got.plain[1], 0, MPI_LONG_DOUBLE, &got.plain[1], 1, MPI_LONG_DOUBLE, next, 16, 1,
                          MPI_LONG_DOUBLE, MPI_NO_OP, win));
  DOES(MPI_Win_fence(0, win));
  CHECK(got.plain[0] == next && got.plain[1] == 7 && got.both.first == next + 1 && got.both.second == next + 2);
  CHECK(got.pair.value == next + 3 && got.pair.place == next + 4);
  DOES(MPI_Win_free(&win));
  DOES(MPI_Type_free(&type));
}

int main(int argc, char **argv)
{
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  CHECK(n <= MOST);
  messages();
  long_message();
  structures();
  collectives();
  packed();
  windows();
  printf("EARL-OK\n");
  DOES(MPI_Finalize());
  return 0;
}
