/* Node 0 hands out tasks to the node that answered last: every receive takes the first message
 * there is, from any node. Arguments: how many tasks, and how many nanoseconds of work in each.
 * Node 0 prints: receive NANOSECONDS (elapsed, for each receive) */
#include <cube.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

enum { task_type = 1, result_type = 2 };

static void work(double nanoseconds) {
  double const until = nanoseconds > 0 ? bench_now() + nanoseconds : 0;
  while (until > 0 && bench_now() < until) continue;
}

static void hand_out(long tasks) {
  long const stop = -1;
  double const begin = bench_now();
  long next = 0, done = 0, result, node;
  for (node = 1; node < numnodes(); node++, next++) csend(task_type, (char*)&next, 8, node, 0);
  while (done < next) {
    crecv(result_type, (char*)&result, 8);
    node = infonode();
    done++;
    if (next < tasks) csend(task_type, (char*)&next, 8, node, 0);
    if (next < tasks) next++;
  }
  printf("receive %.1f\n", (bench_now() - begin) / (double)done);
  for (node = 1; node < numnodes(); node++) csend(task_type, (char*)&stop, 8, node, 0);
}

static void take_on(double nanoseconds) {
  long task = 0;
  for (;;) {
    crecv(task_type, (char*)&task, 8);
    if (task < 0) return;
    work(nanoseconds);
    csend(result_type, (char*)&task, 8, 0, 0);
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  if (numnodes() == 2) bench_pin((int)mynode()); /* as much alike from run to run as can be */
  if (mynode() == 0)
    hand_out(atol(argv[1]));
  else
    take_on(atof(argv[2]));
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
