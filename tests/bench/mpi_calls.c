/* Calls of MPI: the same program on Earl, MPICH and Open MPI.
 *
 * mpi_calls LAPS: rank 0 prints lines  call NAME NANOSECONDS,  each the median of so many samples.
 * With two processes each has a CPU of its own; more are left to the scheduler. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum { most_samples = 10000, many = 64, rows = 256, most_processes = 64, most_ints = 1024 };

static int me, n;
static double samples[most_samples];
static int words[most_ints], sums[most_ints], from_all[most_ints * most_processes], to_all[most_ints * most_processes];
static double matrix[rows][rows];
static MPI_Datatype column;

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
  for (i = 0; i < many; i++) MPI_Irecv(&in[i], 8, MPI_BYTE, 1 - me, i, MPI_COMM_WORLD, &requests[i]);
  for (i = 0; i < many; i++) {
    out[i]++;
    MPI_Isend(&out[i], 8, MPI_BYTE, 1 - me, i, MPI_COMM_WORLD, &requests[many + i]);
  }
  MPI_Waitall(2 * many, requests, statuses);
}

/* There and back. */
static void strided(void) {
  matrix[0][me]++;
  if (me == 0) MPI_Send(&matrix[0][0], 1, column, 1, 7, MPI_COMM_WORLD);
  MPI_Recv(&matrix[0][2], 1, column, 1 - me, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (me == 1) MPI_Send(&matrix[0][0], 1, column, 0, 7, MPI_COMM_WORLD);
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
  MPI_Allreduce(words, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
static void all_reduce_long(void) {
  words[0]++;
  MPI_Allreduce(words, sums, most_ints, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
/* A barrier behind it, or the root would be ahead. */
static void broadcast(void) {
  words[0]++;
  MPI_Bcast(words, most_ints, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}
static void all_gather(void) {
  words[0]++;
  MPI_Allgather(words, 16, MPI_INT, from_all, 16, MPI_INT, MPI_COMM_WORLD);
}
static void all_to_all(void) {
  to_all[0]++;
  MPI_Alltoall(to_all, 16, MPI_INT, from_all, 16, MPI_INT, MPI_COMM_WORLD);
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

int main(int argc, char** argv) {
  long const laps = argc > 1 ? atol(argv[1]) : 100;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (n < 2 || n > most_processes) {
    if (me == 0) fprintf(stderr, "mpi_calls: pass 2 to %d processes\n", most_processes);
    MPI_Finalize();
    return 2;
  }
  MPI_Type_vector(rows, 1, rows, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  if (n == 2) {
    bench_pin(me);
    measure("requests", laps, many_requests);
    measure("strided", laps, strided);
  }
  measure("dup", laps, duplicate);
  measure("split", laps, split);
  measure("barrier", laps, barrier);
  measure("allreduce-8", laps, all_reduce);
  measure("allreduce-4096", laps, all_reduce_long);
  measure("bcast-4096", laps, broadcast);
  measure("allgather-64", laps, all_gather);
  measure("alltoall-64", laps, all_to_all);
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
