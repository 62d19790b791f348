/*
 * circuit.c: three parts of a circuit, solved by 1, 9 and 16 processes, as in Figure 3 of the MPI1
 * proposal. Each group solves its own linear system with the same routine; then the three exchange
 * a voltage and solve again.       earl run -n 26 ./circuit
 */
#include <math.h>
#include <mpi1.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 48
#define ROW 1
#define VOLTAGE 2

int sizes[3] = {12, 36, 48}; /* unknowns, more for the larger groups */

double coefficient(part, i, j)
int part, i, j;
{
  if (i == j) return 2 * MOST;
  return (i * 7 + j * 13 + part) % 10 - 4.5;
}

send_all(type, data, bytes)
int type, bytes;
char *data;
{
  int i, me = MPI_GETID(ALL), n = MPI_INFOG(ALL, 0, (int *)0);

  for (i = 0; i < n; i++)
    if (i != me) MPI_CSEND("blocking", data, i, type, bytes);
}

/* Solves a x = b by elimination; row i is process i % n's of the n there are. All get x. */
solve(a, b, x, size)
double a[MOST][MOST], b[MOST], x[MOST];
int size;
{
  int me = MPI_GETID(ALL), n = MPI_INFOG(ALL, 0, (int *)0), i, j, k;
  double pivot[MOST + 1], factor;

  for (j = 0; j <= MOST; j++) pivot[j] = 0; /* all of it is sent */
  for (k = 0; k < size; k++) {
    if (k % n == me) {
      for (j = k; j < size; j++) pivot[j] = a[k][j];
      pivot[size] = b[k];
      send_all(ROW, pivot, sizeof pivot);
    } else
      MPI_CRECV("blocking", pivot, k % n, ROW, sizeof pivot);
    for (i = k + 1; i < size; i++) {
      if (i % n != me) continue;
      factor = a[i][k] / pivot[k];
      for (j = k; j < size; j++) a[i][j] -= factor * pivot[j];
      b[i] -= factor * pivot[size];
    }
  }
  for (k = size - 1; k >= 0; k--) {
    if (k % n == me) {
      x[k] = b[k];
      for (j = k + 1; j < size; j++) x[k] -= a[k][j] * x[j];
      x[k] /= a[k][k];
      send_all(ROW, &x[k], sizeof x[k]);
    } else
      MPI_CRECV("blocking", &x[k], k % n, ROW, sizeof x[k]);
  }
}

/* One time step: this part's response to the voltage it gets. */
double step(part, group, voltage)
int part, group;
double voltage;
{
  static double a[MOST][MOST], b[MOST], x[MOST];
  int size = sizes[part], i, j;
  double worst = 0, sum;

  for (i = 0; i < size; i++)
    for (b[i] = voltage + i, j = 0; j < size; j++) a[i][j] = coefficient(part, i, j);
  MPI_PUSHG(group);
  solve(a, b, x, size);
  MPI_POPG();
  for (i = 0; i < size; i++) {
    for (sum = -voltage - i, j = 0; j < size; j++) sum += coefficient(part, i, j) * x[j];
    if (fabs(sum) > worst) worst = fabs(sum);
  }
  if (worst > 1e-9) {
    printf("circuit: part %d is off by %g\n", part, worst);
    exit(1);
  }
  return x[0];
}

main()
{
  int me = MPI_GETID(ALL), part = me == 0 ? 0 : me < 10 ? 1 : 2, group, steps;
  int first = part == 0 ? 0 : part == 1 ? 1 : 10, left, right;
  double voltage = part + 1;

  if (MPI_INFOG(ALL, 0, (int *)0) != 26) {
    if (me == 0) printf("circuit: on 1 + 9 + 16 processes, please\n");
    exit(1);
  }
  left = part == 0 ? 10 : part == 1 ? 0 : 1;
  right = part == 0 ? 1 : part == 1 ? 10 : 0;
  group = MPI_PARTG(ALL, part);
  for (steps = 0; steps < 5; steps++) {
    voltage = step(part, group, voltage);
    if (me == first) { /* the groups' first processes pass the voltages on, round and round */
      MPI_CSEND("blocking", &voltage, right, VOLTAGE, sizeof voltage);
      MPI_CRECV("blocking", &voltage, left, VOLTAGE, sizeof voltage);
    }
    MPI_PUSHG(group);
    if (me == first) send_all(VOLTAGE, &voltage, sizeof voltage);
    else MPI_CRECV("blocking", &voltage, 0, VOLTAGE, sizeof voltage);
    MPI_POPG();
  }
  if (me == 0) printf("circuit: 5 steps of groups of 1, 9 and 16; voltage %.6f\nEARL-OK\n", voltage);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
