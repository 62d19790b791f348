/* Starting PVM tasks. Arguments: how many at once, and how often. Each task sends a message
 * and ends. Prints:  spawn N NANOSECONDS  until pvm_spawn() returns,  there N NANOSECONDS  until
 * all messages have come, the median of the times. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

enum { most_tasks = 4096, most_laps = 100, here = 1 };

static int by_size(void const* one, void const* other) {
  double const a = *(double const*)one, b = *(double const*)other;
  return a < b ? -1 : a > b;
}

static double median(double* times, int count) {
  qsort(times, (size_t)count, sizeof *times, by_size);
  return times[count / 2];
}

static int measure(char* self, int tasks, int laps) {
  static int tids[most_tasks];
  double spawned[most_laps], received[most_laps];
  int lap, task;
  for (lap = 0; lap < laps; lap++) {
    double const begin = bench_now();
    if (pvm_spawn(self, NULL, PvmTaskDefault, "", tasks, tids) != tasks) {
      fprintf(stderr, "%s: not all of %d tasks were spawned\n", self, tasks);
      return 1;
    }
    spawned[lap] = bench_now() - begin;
    for (task = 0; task < tasks; task++) pvm_recv(-1, here);
    received[lap] = bench_now() - begin;
  }
  printf("spawn %d %.0f\nthere %d %.0f\n", tasks, median(spawned, laps), tasks,
         median(received, laps));
  return 0;
}

int main(int argc, char** argv) {
  int result = 0;
  pvm_mytid();
  if (pvm_parent() > 0) {
    pvm_initsend(PvmDataRaw);
    pvm_send(pvm_parent(), here);
  } else if (argc != 3 || atoi(argv[1]) > most_tasks || atoi(argv[2]) > most_laps) {
    result = 2;
  } else {
    result = measure(argv[0], atoi(argv[1]), atoi(argv[2]));
  }
  pvm_exit();
  return result;
}
/* SPDX-License-Identifier: BSD-3-Clause */
