/* Calls of MPI: the same program on Earl, MPICH and Open MPI.
 *
 * mpi_calls LAPS: rank 0 prints lines  call NAME NANOSECONDS,  each the median of so many samples
 * (of long calls, fewer). With two processes each has a CPU of its own; more are left to the
 * scheduler. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum {
  most_samples = 10000,
  many = 64,
  many_operations = 100,
  most_processes = 64,
  few = 4,
  most_short = 4096,
  most_long = 1 << 20
};

static int me, n;
static double samples[most_samples];
static int *words, *sums, *from_all, *to_all; /* of a member, of a member, of all, for all */
static int ints;                              /* of each member, in the call that is measured */
static double* matrix;
static MPI_Datatype column; /* every other of so many doubles */
static MPI_Win window;

static int compare(void const* a, void const* b) {
  double x = *(double const*)a, y = *(double const*)b;
  return (x > y) - (x < y);
}

/* Both send 64 messages of 8 bytes, and wait for all. */
static void many_requests(void) {
  static long out[many], in[many];
  static MPI_Request requests[2 * many];
  static MPI_Status statuses[2 * many];
  int i;
  for (i = 0; i < many; i++)
    MPI_Irecv(&in[i], 8, MPI_BYTE, 1 - me, i, MPI_COMM_WORLD, &requests[i]);
  for (i = 0; i < many; i++) {
    out[i]++;
    MPI_Isend(&out[i], 8, MPI_BYTE, 1 - me, i, MPI_COMM_WORLD, &requests[many + i]);
  }
  MPI_Waitall(2 * many, requests, statuses);
}

/* There and back; what is received lies between what is sent. */
static void strided(void) {
  matrix[0]++;
  if (me == 0) MPI_Send(matrix, 1, column, 1, 7, MPI_COMM_WORLD);
  MPI_Recv(matrix + 1, 1, column, 1 - me, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (me == 1) MPI_Send(matrix, 1, column, 0, 7, MPI_COMM_WORLD);
}

static void contiguous(void) {
  matrix[0]++;
  if (me == 0) MPI_Send(matrix, ints, MPI_INT, 1, 7, MPI_COMM_WORLD);
  MPI_Recv(matrix, ints, MPI_INT, 1 - me, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (me == 1) MPI_Send(matrix, ints, MPI_INT, 0, 7, MPI_COMM_WORLD);
}

/* A barrier behind it, or the member that names the context would be ahead. */
static void duplicate(void) {
  MPI_Comm made;
  MPI_Comm_dup(MPI_COMM_WORLD, &made);
  MPI_Comm_free(&made);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void split(void) {
  MPI_Comm made;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &made);
  MPI_Comm_free(&made);
}

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void all_reduce(void) {
  words[0]++;
  MPI_Allreduce(words, sums, ints, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
/* A barrier behind it, or the root would be ahead. */
static void broadcast(void) {
  words[0]++;
  MPI_Bcast(words, ints, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}
static void all_gather(void) {
  words[0]++;
  MPI_Allgather(words, ints, MPI_INT, from_all, ints, MPI_INT, MPI_COMM_WORLD);
}
static void all_to_all(void) {
  to_all[0]++;
  MPI_Alltoall(to_all, ints, MPI_INT, from_all, ints, MPI_INT, MPI_COMM_WORLD);
}

/* 100 operations of 8 bytes on the other's window, each complete before the next. */
static void put(void) {
  int i;
  for (i = 0; i < many_operations; i++) {
    MPI_Put(words, 8, MPI_BYTE, 1 - me, 0, 8, MPI_BYTE, window);
    MPI_Win_flush(1 - me, window);
  }
}
static void get(void) {
  int i;
  for (i = 0; i < many_operations; i++) {
    MPI_Get(words, 8, MPI_BYTE, 1 - me, 0, 8, MPI_BYTE, window);
    MPI_Win_flush(1 - me, window);
  }
}
static void add(void) {
  long const one = 1;
  long before;
  int i;
  for (i = 0; i < many_operations; i++) {
    MPI_Fetch_and_op(&one, &before, MPI_LONG, 1 - me, 1, MPI_SUM, window);
    MPI_Win_flush(1 - me, window);
  }
}
static void locked_put(void) {
  int i;
  for (i = 0; i < many_operations; i++) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - me, 0, window);
    MPI_Put(words, 8, MPI_BYTE, 1 - me, 0, 8, MPI_BYTE, window);
    MPI_Win_unlock(1 - me, window);
  }
}

static void measure(char const* name, long laps, void (*call)(void)) {
  long i;
  for (i = 0; i < laps / 10 + 1; i++) call();
  for (i = 0; i < laps && i < most_samples; i++) {
    double const begin = bench_now();
    call();
    samples[i] = bench_now() - begin;
  }
  qsort(samples, (size_t)i, sizeof *samples, compare);
  if (me == 0) printf("call %s %.1f\n", name, samples[i / 2]);
}

static void measure_of(char const* name, long laps, void (*call)(void), long bytes) {
  char row[64];
  snprintf(row, sizeof row, "%s-%ld", name, bytes);
  ints = (int)(bytes / (long)sizeof(int));
  measure(row, laps, call);
}

static void measure_strided(long laps, long bytes) {
  MPI_Type_vector((int)(bytes / (long)sizeof(double)), 1, 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  measure_of("strided", laps, strided, bytes);
  measure_of("contiguous", laps, contiguous, bytes);
  MPI_Type_free(&column);
}

static void measure_one_sided(long laps) {
  long* given;
  MPI_Win_allocate(4 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &given, &window);
  MPI_Win_lock_all(0, window);
  measure("puts", laps, put);
  measure("gets", laps, get);
  measure("fetches-and-adds", laps, add);
  MPI_Win_unlock_all(window);
  measure("locked-puts", laps, locked_put);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&window);
}

static void* memory(size_t bytes) {
  void* const room = calloc(1, bytes);
  if (!room) MPI_Abort(MPI_COMM_WORLD, 1);
  return room;
}

int main(int argc, char** argv) {
  long const laps = argc > 1 ? atol(argv[1]) : 100;
  long sizes[] = {8, 4096, 65536, 1 << 20};
  size_t room, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (n < 2 || n > most_processes) {
    if (me == 0) fprintf(stderr, "mpi_calls: pass 2 to %d processes\n", most_processes);
    MPI_Finalize();
    return 2;
  }
  room = n <= few ? most_long : most_short;
  words = memory(room);
  sums = memory(room);
  from_all = memory(room * (size_t)n);
  to_all = memory(room * (size_t)n);
  matrix = memory(most_long);
  if (n == 2) {
    bench_pin(me);
    measure("requests", laps, many_requests);
    measure_strided(laps, 8192);
    measure_strided(laps / 10 + 1, 262144);
    measure_one_sided(laps / 10 + 1);
  }
  measure("dup", laps, duplicate);
  measure("split", laps, split);
  measure("barrier", laps, barrier);
  for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    long const bytes = sizes[i], times = bytes > most_short ? laps / 20 + 2 : laps;
    if ((size_t)bytes > room) break;
    measure_of("allreduce", times, all_reduce, bytes);
    measure_of("bcast", times, broadcast, bytes);
    measure_of("allgather", times, all_gather, bytes);
    measure_of("alltoall", times, all_to_all, bytes);
  }
  free(words);
  free(sums);
  free(from_all);
  free(to_all);
  free(matrix);
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
