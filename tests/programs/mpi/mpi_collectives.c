/* Collectives that move data, of no bytes and of many, with equal and unequal counts and datatypes
 * with holes; each result is looked at on every rank. */
#include "mpi_check.h"

#define MOST 33

int me, n;
MPI_Datatype strided;  /* two ints, with one between and one behind */

/* The i-th int that rank `from` sends to `to`. */
int value(int from, int to, int i) { return from * 1000003 + to * 1009 + i; }

broadcasts(int count)
{
  int *data = malloc(sizeof(int) * (4 * count + 1)), root, i;
  for (root = 0; root < n; root += n > 4 ? 5 : 1) {
    for (i = 0; i < count; i++) data[i] = me == root ? value(root, 0, i) : -1;
    DOES(MPI_Bcast(data, count, MPI_INT, root, MPI_COMM_WORLD));
    for (i = 0; i < count; i++) CHECK(data[i] == value(root, 0, i));
    for (i = 0; i < 4 * count; i++) data[i] = me == root ? value(root, 1, i) : -1;
    DOES(MPI_Bcast(data, count, strided, root, MPI_COMM_WORLD));
    for (i = 0; i < 4 * count; i++)
      CHECK(data[i] == (me == root || i % 2 == 0 ? value(root, 1, i) : -1));
  }
  free(data);
}

gathers(int count)
{
  int *mine = malloc(sizeof(int) * (count + 1)), *all = malloc(sizeof(int) * (2 * n * count + 1));
  int root = n - 1, i, from;
  for (i = 0; i < count; i++) mine[i] = value(me, root, i);
  for (i = 0; i < 2 * n * count; i++) all[i] = -1;
  DOES(MPI_Gather(mine, count, MPI_INT, all, count, MPI_INT, root, MPI_COMM_WORLD));
  for (i = 0; i < n * count; i++)
    CHECK(all[i] == (me == root ? value(i / count, root, i % count) : -1));
  for (i = 0; i < 2 * n * count; i++) all[i] = -1;
  if (count % 2 == 0) {
    DOES(MPI_Gather(mine, count, MPI_INT, all, count / 2, strided, root, MPI_COMM_WORLD));
    for (i = 0; me == root && i < 2 * n * count; i++) {
      from = i / (2 * count);
      CHECK(all[i] == (i % 2 == 0 ? value(from, root, i % (2 * count) / 2) : -1));
    }
  }
  for (i = 0; i < n * count; i++) all[i] = -1;
  DOES(MPI_Allgather(mine, count, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD));
  for (i = 0; i < n * count; i++) CHECK(all[i] == value(i / count, root, i % count));
  /* Memory that overlaps: old programs rely on it. */
#ifndef NATIVE
  for (i = 0; i < count; i++) all[me * count + i] = value(me, 7, i);
  DOES(MPI_Allgather(all + me * count, count, MPI_INT, all, count, MPI_INT, MPI_COMM_WORLD));
  for (i = 0; i < n * count; i++) CHECK(all[i] == value(i / count, 7, i % count));
#endif
  free(mine);
  free(all);
}

scatters(int count)
{
  int *mine = malloc(sizeof(int) * (count + 1)), *all = malloc(sizeof(int) * (n * count + 1));
  int root = n / 2, i;
  for (i = 0; i < n * count; i++) all[i] = me == root ? value(root, i / count, i % count) : -1;
  DOES(MPI_Scatter(all, count, MPI_INT, mine, count, MPI_INT, root, MPI_COMM_WORLD));
  for (i = 0; i < count; i++) CHECK(mine[i] == value(root, me, i));
  free(mine);
  free(all);
}

/* Rank r has r + count % 3 blocks, in reverse order, with one int between. */
unequal(int count)
{
  static int counts[MOST], places[MOST];
  int *mine, *all, total = 0, i, r, own;
  for (r = n - 1; r >= 0; r--) {
    counts[r] = r * count + count % 3;
    places[r] = total;
    total += counts[r] + 1;
  }
  own = counts[me];
  mine = malloc(sizeof(int) * (own + 1));
  all = malloc(sizeof(int) * (total + 1));
  for (i = 0; i < own; i++) mine[i] = value(me, 3, i);
  memset(all, 255, sizeof(int) * total);
  DOES(MPI_Gatherv(mine, own, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD));
  for (r = 0; me == 0 && r < n; r++) {
    for (i = 0; i < counts[r]; i++) CHECK(all[places[r] + i] == value(r, 3, i));
    CHECK(all[places[r] + i] == -1);
  }
  memset(all, 255, sizeof(int) * total);
  DOES(MPI_Allgatherv(mine, own, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD));
  for (r = 0; r < n; r++) {
    for (i = 0; i < counts[r]; i++) CHECK(all[places[r] + i] == value(r, 3, i));
    CHECK(all[places[r] + i] == -1);
  }
  memset(mine, 255, sizeof(int) * own);
  DOES(MPI_Scatterv(all, counts, places, MPI_INT, mine, own, MPI_INT, n - 1, MPI_COMM_WORLD));
  for (i = 0; i < own; i++) CHECK(mine[i] == value(me, 3, i));
  free(mine);
  free(all);
}

all_to_all(int count)
{
  static int counts[MOST], out_at[MOST], in_counts[MOST], in_at[MOST];
  int *out = malloc(sizeof(int) * (n * count + 1)), *in = malloc(sizeof(int) * (n * count + 1));
  int i, r;
  for (i = 0; i < n * count; i++) out[i] = value(me, i / count, i % count), in[i] = -1;
  DOES(MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, MPI_COMM_WORLD));
  for (i = 0; i < n * count; i++) CHECK(in[i] == value(i / count, me, i % count));
  for (r = 0; r < n; r++) {
    counts[r] = count ? (me + r) % count : 0;
    in_counts[r] = count ? (me + r) % count : 0;
    out_at[r] = in_at[r] = r * count;
  }
  for (i = 0; i < n * count; i++) in[i] = -1;
  DOES(MPI_Alltoallv(out, counts, out_at, MPI_INT, in, in_counts, in_at, MPI_INT, MPI_COMM_WORLD));
  for (r = 0; r < n; r++)
    for (i = 0; i < count; i++)
      CHECK(in[r * count + i] == (i < in_counts[r] ? value(r, me, i) : -1));
#ifndef NATIVE
  DOES(MPI_Alltoall(out, count, MPI_INT, out, count, MPI_INT, MPI_COMM_WORLD));
  for (i = 0; i < n * count; i++) CHECK(out[i] == value(i / count, me, i % count));
#endif
  free(out);
  free(in);
}

in_place(int count)
{
  int *all = malloc(sizeof(int) * (n * count + 1)), i;
  for (i = 0; i < n * count; i++) all[i] = i / count == me ? value(me, 9, i % count) : -1;
  DOES(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, count, MPI_INT, MPI_COMM_WORLD));
  for (i = 0; i < n * count; i++) CHECK(all[i] == value(i / count, 9, i % count));
  free(all);
}

errors()
{
  int word = 0;
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  FAILS(MPI_Bcast(&word, 1, MPI_INT, n, MPI_COMM_WORLD), MPI_ERR_ROOT);
  FAILS(MPI_Bcast(&word, 1, MPI_INT, MPI_PROC_NULL, MPI_COMM_WORLD), MPI_ERR_ROOT);
  FAILS(MPI_Bcast(&word, -1, MPI_INT, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  FAILS(MPI_Bcast(&word, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  FAILS(MPI_Barrier(MPI_COMM_NULL), MPI_ERR_COMM);
  FAILS(MPI_Allgather(&word, -1, MPI_INT, &word, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_COUNT);
  DOES(MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

main(int argc, char **argv)
{
  static int counts[4] = {0, 1, 6, 3000};
  MPI_Datatype one;
  int i;
  DOES(MPI_Init(&argc, &argv));
  DOES(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  DOES(MPI_Comm_size(MPI_COMM_WORLD, &n));
  DOES(MPI_Type_vector(2, 1, 2, MPI_INT, &one));
  DOES(MPI_Type_create_resized(one, 0, 4 * sizeof(int), &strided));
  DOES(MPI_Type_commit(&strided));
  for (i = 0; i < 4; i++) {
    broadcasts(counts[i]);
    gathers(counts[i]);
    scatters(counts[i]);
    unequal(counts[i] / (n > 8 ? 8 : 1));
    all_to_all(counts[i]);
    in_place(counts[i]);
    DOES(MPI_Barrier(MPI_COMM_WORLD));
  }
  errors();
  DOES(MPI_Type_free(&one));
  DOES(MPI_Type_free(&strided));
  DOES(MPI_Finalize());
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
