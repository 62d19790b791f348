/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows of the library's memory, which origins may reach by themselves, beside windows of the
 * program's: the same operations give the same. Then many locks and accumulates at once. */
#include "mpi_check.h"

enum { ints = 256, trials = 300 };

static int me, n;
static unsigned long state;

static int random_below(int most)
{
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return (int)((state >> 33) % (unsigned long)most);
}

typedef struct {
  MPI_Datatype type;
  MPI_Datatype element;
  int count;
  int bytes; /* from the first to the last of `count` */
} Layout;

enum { kinds = 8 };
static Layout layouts[kinds];

static int made(int i) { return i == 3 || i == 4 || i >= 6; }

static void make_layouts(void)
{
  int lengths[3] = {2, 1, 3}, places[3] = {7, 0, 11};
  int i;
  Layout l[kinds] = {
    {MPI_INT, MPI_INT, 9, 36},          {MPI_DOUBLE, MPI_DOUBLE, 5, 40}, {MPI_DOUBLE_INT, MPI_DOUBLE_INT, 3, 48},
    {MPI_DATATYPE_NULL, MPI_INT, 2, 0}, {MPI_DATATYPE_NULL, MPI_INT, 2, 0}, {MPI_CHAR, MPI_CHAR, 13, 13},
    {MPI_DATATYPE_NULL, MPI_DOUBLE_INT, 2, 0}, {MPI_DATATYPE_NULL, MPI_2INT, 2, 48},
  };
  for (i = 0; i < kinds; i++) layouts[i] = l[i];
  DOES(MPI_Type_vector(3, 1, 3, MPI_INT, &layouts[3].type));
  DOES(MPI_Type_indexed(3, lengths, places, MPI_INT, &layouts[4].type));
  layouts[3].bytes = 2 * 7 * 4, layouts[4].bytes = 2 * 14 * 4;
  DOES(MPI_Type_vector(2, 1, 2, MPI_DOUBLE_INT, &layouts[6].type));
  layouts[6].bytes = 2 * 3 * 16;
  DOES(MPI_Type_contiguous(3, MPI_2INT, &layouts[7].type));
  for (i = 0; i < kinds; i++)
    if (made(i)) DOES(MPI_Type_commit(&layouts[i].type));
}

static void one_operation(MPI_Win win, int target, unsigned long seed, int *out, int *in)
{
  Layout const *layout;
  MPI_Op op;
  int place, form;
  state = seed;
  layout = &layouts[random_below(kinds)];
  form = random_below(6);
  op = layout->element == MPI_DOUBLE_INT || layout->element == MPI_2INT ? MPI_MAXLOC : random_below(2) ? MPI_SUM : MPI_MAX;
  if (layout->type == MPI_CHAR) op = MPI_REPLACE;
  if (random_below(4) == 0) op = random_below(2) && form == 3 ? MPI_NO_OP : MPI_REPLACE;
  place = 4 * random_below((ints * 4 - layout->bytes) / 16);
  switch (form) {
  case 0:
    DOES(MPI_Put(out, layout->count, layout->type, target, place, layout->count, layout->type, win));
    break;
  case 1:
    DOES(MPI_Get(in, layout->count, layout->type, target, place, layout->count, layout->type, win));
    break;
  case 2:
    DOES(MPI_Accumulate(out, layout->count, layout->type, target, place, layout->count, layout->type, op, win));
    break;
  case 3:
    DOES(MPI_Get_accumulate(out, layout->count, layout->type, in, layout->count, layout->type, target, place,
                            layout->count, layout->type, op, win));
    break;
  case 4:
    DOES(MPI_Fetch_and_op(out, in, MPI_INT, target, place, random_below(2) ? MPI_BXOR : MPI_NO_OP, win));
    break;
  default:
    DOES(MPI_Compare_and_swap(out, &out[random_below(2)], in, MPI_INT, target, place, win));
  }
  DOES(MPI_Win_flush(target, win));
}

static void same_as_messages(void)
{
  int *given, created[ints], out[ints], in[2][ints], i, k, target = (me + 1) % n;
  MPI_Win direct, plain;
  DOES(MPI_Win_allocate(sizeof created, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &given, &direct));
  DOES(MPI_Win_create(created, sizeof created, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &plain));
  for (i = 0; i < ints; i++) given[i] = created[i] = 3 * i + me;
  make_layouts();
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  DOES(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, direct));
  DOES(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, plain));
  for (k = 0; k < trials; k++) {
    for (i = 0; i < ints; i++) out[i] = random_below(50), in[0][i] = in[1][i] = -1;
    unsigned long const seed = state ^ (unsigned long)k << 20;
    one_operation(direct, target, seed, out, in[0]);
    one_operation(plain, target, seed, out, in[1]);
    CHECK(memcmp(in[0], in[1], sizeof in[0]) == 0);
  }
  DOES(MPI_Win_unlock(target, direct));
  DOES(MPI_Win_unlock(target, plain));
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  CHECK(memcmp(given, created, sizeof created) == 0);
  for (i = 0; i < kinds; i++)
    if (made(i)) DOES(MPI_Type_free(&layouts[i].type));
  DOES(MPI_Win_free(&direct));
  DOES(MPI_Win_free(&plain));
}

/* The larger value of each pair, and its place, also where a made datatype consists of pairs. */
static void pairs(void)
{
  typedef struct {
    short value;
    int place;
  } Pair;
  Pair mine[6], *memory;
  MPI_Datatype every_other;
  MPI_Win win;
  int i;
  DOES(MPI_Win_allocate(sizeof mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
  for (i = 0; i < 6; i++) {
    mine[i].value = 10 + me, mine[i].place = 100 * me + i;
    memory[i].value = i == 2 ? 99 : 0, memory[i].place = -1;
  }
  DOES(MPI_Type_vector(3, 1, 2, MPI_SHORT_INT, &every_other));
  DOES(MPI_Type_commit(&every_other));
  DOES(MPI_Win_fence(0, win));
  DOES(MPI_Accumulate(mine, 1, every_other, 0, 0, 1, every_other, MPI_MAXLOC, win));
  DOES(MPI_Win_fence(0, win));
  for (i = 0; me == 0 && i < 6; i++) {
    CHECK(memory[i].value == (i == 2 ? 99 : i % 2 ? 0 : 10 + n - 1));
    CHECK(memory[i].place == (i == 2 || i % 2 ? -1 : 100 * (n - 1) + i));
  }
  DOES(MPI_Type_free(&every_other));
  DOES(MPI_Win_free(&win));
}

/* Writers keep two counters the same; readers never see them differ. */
static void readers_and_writers(void)
{
  long *memory, seen[2], i;
  MPI_Win win;
  DOES(MPI_Win_allocate(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
  memory[0] = memory[1] = 0;
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  for (i = 0; i < 200; i++) {
    int const writes = (me + i) % 3 == 0;
    DOES(MPI_Win_lock(writes ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, n - 1, 0, win));
    DOES(MPI_Get(seen, 2, MPI_LONG, n - 1, 0, 2, MPI_LONG, win));
    DOES(MPI_Win_flush(n - 1, win));
    CHECK(seen[0] == seen[1]);
    if (writes) {
      seen[0]++, seen[1]++;
      DOES(MPI_Put(&seen[0], 1, MPI_LONG, n - 1, 0, 1, MPI_LONG, win));
      DOES(MPI_Win_flush(n - 1, win));
      DOES(MPI_Put(&seen[1], 1, MPI_LONG, n - 1, 1, 1, MPI_LONG, win));
    }
    DOES(MPI_Win_unlock(n - 1, win));
  }
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  if (me == n - 1) {
    long wanted = 0, k;
    for (k = 0; k < n; k++)
      for (i = 0; i < 200; i++) wanted += (k + i) % 3 == 0;
    CHECK(memory[0] == wanted && memory[1] == wanted);
  }
  DOES(MPI_Win_free(&win));
}

/* Rank 0 waits for a value with operations that have requests, and calls nothing else meanwhile. */
static void polled(void)
{
  int *memory, form, value, flag, done, one = 1;
  MPI_Request request;
  MPI_Win win;
  for (form = 0; form < 5; form++) {
    DOES(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    *memory = n == 1;
    DOES(MPI_Barrier(MPI_COMM_WORLD));
    DOES(MPI_Win_lock_all(0, win));
    for (value = 0; me == 0 && !value;) {
      if (form % 2)
        DOES(MPI_Rget_accumulate(NULL, 0, MPI_INT, &value, 1, MPI_INT, n - 1, 0, 1, MPI_INT, MPI_NO_OP, win, &request));
      else
        DOES(MPI_Rget(&value, 1, MPI_INT, n - 1, 0, 1, MPI_INT, win, &request));
      if (form < 2)
        DOES(MPI_Wait(&request, MPI_STATUS_IGNORE));
      else if (form < 4)
        DOES(MPI_Waitall(1, &request, MPI_STATUSES_IGNORE));
      else
        for (flag = 0; !flag;) DOES(MPI_Testany(1, &request, &done, &flag, MPI_STATUS_IGNORE));
    }
    if (me == n - 1 && n > 1) {
      DOES(MPI_Accumulate(&one, 1, MPI_INT, me, 0, 1, MPI_INT, MPI_REPLACE, win));
      DOES(MPI_Win_flush(me, win));
    }
    DOES(MPI_Win_unlock_all(win));
    DOES(MPI_Win_free(&win));
  }
}

/* No sum is lost; a counter gives each number once. */
static void sums(void)
{
  long *memory, one = 1, i, number, last = -1;
  double part[64], all[64];
  MPI_Win win;
  for (i = 0; i < 64; i++) part[i] = (double)i;
  DOES(MPI_Win_allocate(sizeof(long) + sizeof part, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
  memset(memory, 0, sizeof(long) + sizeof part);
  DOES(MPI_Win_lock_all(0, win));
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  for (i = 0; i < 100; i++) {
    DOES(MPI_Fetch_and_op(&one, &number, MPI_LONG, 0, 0, MPI_SUM, win));
    DOES(MPI_Accumulate(part, 64, MPI_DOUBLE, 0, sizeof(long), 64, MPI_DOUBLE, MPI_SUM, win));
    DOES(MPI_Win_flush(0, win));
    CHECK(last < number && number < 100 * n);
    last = number;
  }
  DOES(MPI_Barrier(MPI_COMM_WORLD));
  DOES(MPI_Get(all, 64, MPI_DOUBLE, 0, sizeof(long), 64, MPI_DOUBLE, win));
  DOES(MPI_Win_flush_all(win));
  for (i = 0; i < 64; i++) CHECK(all[i] == 100. * n * (double)i);
  DOES(MPI_Win_unlock_all(win));
  DOES(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  state = 12345 + (unsigned long)me;
  same_as_messages();
  pairs();
  readers_and_writers();
  polled();
  sums();
  DOES(MPI_Finalize());
  puts("EARL-OK");
  return 0;
}
