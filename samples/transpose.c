/*
 * transpose.c: D = A B + C', as in Figure 4 of the MPI1 proposal. The transpose is under way while
 * the product is computed by a routine from a library, which uses the same message types: a
 * communication context keeps them apart.          earl run -n 4 ./transpose
 */
#include <mpi1.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 8 /* of each matrix, in each process */
#define MOST 16
#define N (ROWS * MOST)
#define BLOCK 1

int me, n, size;
double a[ROWS][N], b[ROWS][N], c[ROWS][N], d[ROWS][N], ct[ROWS][N];
int sends[MOST], receives[MOST];

/* My block of columns p goes to process p, and theirs come into my rows, still to be turned. */
begin_transpose()
{
  int p;

  for (p = 0; p < n; p++) {
    receives[p] = MPI_SRECV("nonblocking", &ct[0][p * ROWS], p, BLOCK, ROWS * 8, N * 8, ROWS);
    sends[p] = MPI_SSEND("nonblocking", &c[0][p * ROWS], p, BLOCK, ROWS * 8, N * 8, ROWS);
  }
}

end_transpose()
{
  int p, i, j;
  double x;

  for (p = 0; p < n; p++) {
    MPI_WAIT(receives[p]);
    MPI_WAIT(sends[p]);
    for (i = 0; i < ROWS; i++)
      for (j = 0; j < i; j++) {
        x = ct[i][p * ROWS + j];
        ct[i][p * ROWS + j] = ct[j][p * ROWS + i];
        ct[j][p * ROWS + i] = x;
      }
  }
}

/* A library's: the rows of b go round. It takes any message of its type. */
matmul()
{
  static double there[ROWS][N], next[ROWS][N];
  int lap, owner, i, j, k;

  for (i = 0; i < ROWS; i++)
    for (j = 0; j < size; j++) there[i][j] = b[i][j], d[i][j] = 0;
  for (lap = 0; lap < n; lap++) {
    owner = (me + lap) % n;
    for (i = 0; i < ROWS; i++)
      for (k = 0; k < ROWS; k++)
        for (j = 0; j < size; j++) d[i][j] += a[i][owner * ROWS + k] * there[k][j];
    MPI_CSEND("blocking", there, (me + n - 1) % n, BLOCK, sizeof there);
    MPI_CRECV("blocking", next, -1, BLOCK, sizeof next);
    for (i = 0; i < ROWS; i++)
      for (j = 0; j < size; j++) there[i][j] = next[i][j];
  }
}

main()
{
  int i, j, k, icc, row;
  double want;

  me = MPI_GETID(ALL);
  n = MPI_INFOG(ALL, 0, (int *)0);
  size = n * ROWS;
  if (n > MOST) exit(1);
  for (i = 0; i < ROWS; i++)
    for (row = me * ROWS + i, j = 0; j < size; j++) {
      a[i][j] = row - j;
      b[i][j] = row + 2 * j;
      c[i][j] = row * 100 + j;
    }

  icc = MPI_NEWC();
  begin_transpose();
  MPI_PUSHC(icc);
  matmul();
  MPI_POPC();
  end_transpose();

  for (i = 0; i < ROWS; i++)
    for (row = me * ROWS + i, j = 0; j < size; j++) {
      d[i][j] += ct[i][j];
      for (want = j * 100 + row, k = 0; k < size; k++) want += (row - k) * (k + 2 * j);
      if (d[i][j] != want) {
        printf("transpose: element %d, %d is %g, not %g\n", row, j, d[i][j], want);
        exit(1);
      }
    }
  MPI_SYNCG(ALL);
  if (me == 0) printf("transpose: D = A B + C', %d by %d, on %d processes\nEARL-OK\n", size, size, n);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
