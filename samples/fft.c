/*
 * fft.c: a Fourier transform there and back. Each task has a block of the numbers. In the first
 * steps partners are in different tasks, which exchange their blocks; then each is on its own.
 *   earlcc -api pvm3 fft.c -o fft -lm
 *   fft [tasks [log2 of size [rounds]]]
 */
#include <math.h>
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define MAXLOG 18
#define MAXTASKS 64

/* Message tags. */
#define SETUP 1
#define BLOCK 2
#define RESULT 3

double x[2 << MAXLOG], theirs[2 << MAXLOG], given[2 << MAXLOG]; /* real, imaginary, real... */
double circle[1 << MAXLOG]; /* the first half of the roots of 1 */
int tids[MAXTASKS];
int tasks = 4, logsize = 14, rounds = 1, me, block, size;

double seconds() {
  struct timeval now;

  gettimeofday(&now, (void*)0);
  return now.tv_sec + now.tv_usec / 1e6;
}

exchange(partner) int partner;
{
  pvm_initsend(PvmDataRaw);
  pvm_pkdouble(x, 2 * block, 1);
  pvm_send(tids[partner], BLOCK);
  pvm_recv(tids[partner], BLOCK);
  pvm_upkdouble(theirs, 2 * block, 1);
}

/* (u, v) becomes (u + v, (u - v) w), w being the k-th root of 1 in steps of `step`. */
forward(u, v, k) double* u, *v;
int k;
{
  double re = u[0] - v[0], im = u[1] - v[1];

  u[0] += v[0];
  u[1] += v[1];
  v[0] = re * circle[2 * k] + im * circle[2 * k + 1];
  v[1] = im * circle[2 * k] - re * circle[2 * k + 1];
}

/* The other way round: (u + v w*, u - v w*). */
backward(u, v, k) double* u, *v;
int k;
{
  double re = v[0] * circle[2 * k] - v[1] * circle[2 * k + 1];
  double im = v[1] * circle[2 * k] + v[0] * circle[2 * k + 1];

  v[0] = u[0] - re;
  v[1] = u[1] - im;
  u[0] += re;
  u[1] += im;
}

/* One step between numbers that are `half` apart; further than a block: between two tasks. Both
   then do the whole step and keep their half of it. */
step(half, butterfly) int half, (*butterfly)();
{
  int first = me * block, apart = half / block, i, j;

  if (apart == 0) {
    for (i = 0; i < block; i += 2 * half)
      for (j = i; j < i + half; j++)
        butterfly(x + 2 * j, x + 2 * (j + half), (first + j) % half * (size / (2 * half)));
    return 0;
  }
  exchange(me ^ apart);
  for (i = 0; i < block; i++)
    if (me & apart)
      butterfly(theirs + 2 * i, x + 2 * i, (first + i) % half * (size / (2 * half)));
    else
      butterfly(x + 2 * i, theirs + 2 * i, (first + i) % half * (size / (2 * half)));
  return 0;
}

double energy() {
  double sum = 0;
  int i;

  for (i = 0; i < 2 * block; i++) sum += x[i] * x[i];
  return sum;
}

transform(report) double* report;
{
  int half, i;

  report[0] = energy();
  for (half = size / 2; half >= 1; half /= 2) step(half, forward);
  report[1] = energy() / size;
  for (half = 1; half < size; half *= 2) step(half, backward);
  for (i = 0; i < 2 * block; i++) x[i] /= size;
  for (report[2] = 0, i = 0; i < 2 * block; i++)
    if (fabs(x[i] - given[i]) > report[2]) report[2] = fabs(x[i] - given[i]);
}

task() {
  double report[3];
  int i, round;

  pvm_recv(pvm_parent(), SETUP);
  pvm_upkint(&tasks, 1, 1);
  pvm_upkint(&logsize, 1, 1);
  pvm_upkint(&rounds, 1, 1);
  pvm_upkint(tids, tasks, 1);
  for (me = 0; tids[me] != pvm_mytid(); me++)
    ;
  size = 1 << logsize;
  block = size / tasks;
  for (i = 0; i < size / 2; i++) {
    circle[2 * i] = cos(2 * M_PI * i / size);
    circle[2 * i + 1] = sin(2 * M_PI * i / size);
  }
  for (i = 0; i < 2 * block; i++) x[i] = given[i] = (me * 2 * block + i) * 7919L % 1009 / 1009.0;
  for (round = 0; round < rounds; round++) transform(report);
  pvm_initsend(PvmDataDefault);
  pvm_pkdouble(report, 3, 1);
  pvm_send(pvm_parent(), RESULT);
  pvm_exit();
}

main(argc, argv) int argc;
char** argv;
{
  double start, report[3], before = 0, after = 0, worst = 0;
  int i;

  pvm_mytid();
  if (pvm_parent() > 0) {
    task();
    return 0;
  }
  if (argc > 1) tasks = atoi(argv[1]);
  if (argc > 2) logsize = atoi(argv[2]);
  if (argc > 3) rounds = atoi(argv[3]);
  if (tasks < 1 || tasks > MAXTASKS || (tasks & (tasks - 1)) || logsize > MAXLOG ||
      1 << logsize < tasks || rounds < 1) {
    fprintf(stderr, "usage: fft [tasks, a power of 2 up to %d [log2 of size up to %d [rounds]]]\n",
            MAXTASKS, MAXLOG);
    exit(2);
  }
  start = seconds();
  if (pvm_spawn("fft", (char**)0, PvmTaskDefault, "", tasks, tids) != tasks) {
    fprintf(stderr, "fft: no %d tasks: %d\n", tasks, tids[tasks - 1]);
    exit(1);
  }
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&tasks, 1, 1);
  pvm_pkint(&logsize, 1, 1);
  pvm_pkint(&rounds, 1, 1);
  pvm_pkint(tids, tasks, 1);
  pvm_mcast(tids, tasks, SETUP);
  for (i = 0; i < tasks; i++) {
    pvm_recv(-1, RESULT);
    pvm_upkdouble(report, 3, 1);
    before += report[0];
    after += report[1];
    if (report[2] > worst) worst = report[2];
  }
  printf("fft: %d numbers, %d tasks, %d rounds: %.1f ms\n", 1 << logsize, tasks, rounds,
         (seconds() - start) * 1e3);
  pvm_exit();
  /* The inverse gives the input back, and the transform has the same energy. */
  if (worst > 1e-9 || fabs(after - before) > 1e-9 * before) {
    printf("fft: off by %g, energy %g and %g\n", worst, before, after);
    exit(1);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
