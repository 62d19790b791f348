/* Time, and placement of processes, for all programs measured here. Reads as C and as C++. */
#ifndef EARL_BENCH_CLOCK_H
#define EARL_BENCH_CLOCK_H

#include <sched.h>
#include <time.h>
#include <unistd.h>

static inline double bench_now(void) { /* nanoseconds */
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Nanoseconds of this process's CPU time: for work that waits for no other process. */
static inline double bench_worked(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* The n-th of the CPUs that this process may use; wraps around. */
static inline void bench_pin(int n) {
  cpu_set_t may, one;
  unsigned cpu;
  sched_getaffinity(0, sizeof may, &may);
  n %= CPU_COUNT(&may);
  for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &may) && n-- == 0) break;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
}

#endif
/* SPDX-License-Identifier: BSD-3-Clause */
