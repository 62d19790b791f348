/* hmult_node.c: HMult, a node's half. See hmult_host.c. */
#include <cube.h>

#include "hmult.h"

double b[MAXSIZE][MAXSIZE];
struct strip work, done;
int size;

multiply()
{
  int i, j, k;
  double sum;

  done.first = work.first;
  done.rows = work.rows;
  for (i = 0; i < work.rows; i++)
    for (j = 0; j < size; j++) {
      for (sum = 0, k = 0; k < size; k++) sum += work.row[i * size + k] * b[k][j];
      done.row[i * size + j] = sum;
    }
}

main()
{
  int i;

  crecv(SIZE, &size, sizeof size);
  for (i = 0; i < size; i++) crecv(MATRIX, b[i], sizeof b[i]);
  for (;;) {
    crecv(WORK, &work, sizeof work);
    if (work.rows == 0) break;
    multiply();
    csend(RESULT, &done, strip_bytes(done.rows, size), myhost(), HOST_PID);
  }
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
