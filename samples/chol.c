/*
 * chol.c: a symmetric matrix is taken apart, A = L L', by tasks that hold every p-th column of it.
 * A task that has finished a column sends it to all the others.
 *   earlcc -api pvm3 chol.c -o chol -lm
 *   chol [size [tasks [rounds]]]
 */
#include <math.h>
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define MAXSIZE 512
#define MAXTASKS 64

/* Message tags. */
#define SETUP 1
#define COLUMN 2
#define RESULT 3

double column[MAXSIZE][MAXSIZE]; /* column[j][i], i >= j: first of A, then of L */
int tids[MAXTASKS];
int size = 100, tasks = 4, rounds = 1, me;

/* Positive definite; the same everywhere, so that it need not be sent. */
double a(i, j)
int i, j;
{
  if (i == j) return size;
  return 1.0 / (1 + abs(i - j)) + (i + j) % 3;
}

double seconds() {
  struct timeval now;

  gettimeofday(&now, (void*)0);
  return now.tv_sec + now.tv_usec / 1e6;
}

divide(j) int j;
{
  int i;
  double root = sqrt(column[j][j]);

  for (i = j; i < size; i++) column[j][i] /= root;
}

/* Takes column k's part out of column j. */
update(j, k) int j, k;
{
  int i;

  for (i = j; i < size; i++) column[j][i] -= column[k][i] * column[k][j];
}

factor() {
  int j, k;

  for (j = me; j < size; j += tasks)
    for (k = j; k < size; k++) column[j][k] = a(k, j);
  for (k = 0; k < size; k++) {
    if (k % tasks == me) {
      divide(k);
      pvm_initsend(PvmDataRaw);
      pvm_pkdouble(&column[k][k], size - k, 1);
      pvm_mcast(tids, tasks, COLUMN);
    } else {
      pvm_recv(tids[k % tasks], COLUMN);
      pvm_upkdouble(&column[k][k], size - k, 1);
    }
    for (j = me; j < size; j += tasks)
      if (j > k) update(j, k);
  }
}

task() {
  int j, round;

  pvm_recv(pvm_parent(), SETUP);
  pvm_upkint(&size, 1, 1);
  pvm_upkint(&tasks, 1, 1);
  pvm_upkint(&rounds, 1, 1);
  pvm_upkint(tids, tasks, 1);
  for (me = 0; tids[me] != pvm_mytid(); me++)
    ;
  for (round = 0; round < rounds; round++) factor();
  pvm_initsend(PvmDataDefault);
  for (j = me; j < size; j += tasks) pvm_pkdouble(&column[j][j], size - j, 1);
  pvm_send(pvm_parent(), RESULT);
  pvm_exit();
}

/* L's columns, from the first task that has one; which columns they are follows from who that is. */
collect() {
  int i, j, who, from;

  for (i = 0; i < tasks; i++) {
    pvm_bufinfo(pvm_recv(-1, RESULT), (int*)0, (int*)0, &from);
    for (who = 0; tids[who] != from; who++)
      ;
    for (j = who; j < size; j += tasks) pvm_upkdouble(&column[j][j], size - j, 1);
  }
}

/* How far L L' is from A, at most. */
double error() {
  int i, j, k;
  double sum, worst = 0;

  for (i = 0; i < size; i++)
    for (j = 0; j <= i; j++) {
      for (sum = 0, k = 0; k <= j; k++) sum += column[k][i] * column[k][j];
      if (fabs(sum - a(i, j)) > worst) worst = fabs(sum - a(i, j));
    }
  return worst;
}

main(argc, argv) int argc;
char** argv;
{
  double start;

  pvm_mytid();
  if (pvm_parent() > 0) {
    task();
    return 0;
  }
  if (argc > 1) size = atoi(argv[1]);
  if (argc > 2) tasks = atoi(argv[2]);
  if (argc > 3) rounds = atoi(argv[3]);
  if (size < 1 || size > MAXSIZE || tasks < 1 || tasks > MAXTASKS || rounds < 1) {
    fprintf(stderr, "usage: chol [size up to %d [tasks up to %d [rounds]]]\n", MAXSIZE, MAXTASKS);
    exit(2);
  }
  start = seconds();
  if (pvm_spawn("chol", (char**)0, PvmTaskDefault, "", tasks, tids) != tasks) {
    fprintf(stderr, "chol: no %d tasks: %d\n", tasks, tids[tasks - 1]);
    exit(1);
  }
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&size, 1, 1);
  pvm_pkint(&tasks, 1, 1);
  pvm_pkint(&rounds, 1, 1);
  pvm_pkint(tids, tasks, 1);
  pvm_mcast(tids, tasks, SETUP);
  collect();
  printf("chol: %d x %d, %d tasks, %d rounds: %.1f ms\n", size, size, tasks, rounds,
         (seconds() - start) * 1e3);
  pvm_exit();
  if (error() > 1e-9 * size) {
    printf("chol: L L' is not A: off by %g\n", error());
    exit(1);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
