/*
 * hmult_host.c: HMult, the host's half. The host multiplies two matrices with the cube's help: all
 * nodes get B, and an idle node gets the next rows of A and sends back those of C.
 *   earlcc -host hmult_host.c -o hmult_host; earlcc -node hmult_node.c -o hmult_node
 *   hmult_host [nodes [size]]
 */
#include <cube.h>
#include <stdio.h>
#include <stdlib.h>

#include "hmult.h"

double a[MAXSIZE][MAXSIZE], b[MAXSIZE][MAXSIZE], c[MAXSIZE][MAXSIZE];
struct strip work, done;
int nodes = 4, size = 96;
int first; /* the next row of A to hand out */
int strips[MAXNODES];

/* Small whole numbers, so that the product is exact in any order of summation. */
fill()
{
  int i, j;

  for (i = 0; i < size; i++)
    for (j = 0; j < size; j++) {
      a[i][j] = (i * 7 + j * 3) % 19 - 9;
      b[i][j] = (i * 5 + j * 11) % 23 - 11;
    }
}

/* Gives a node its next rows; none at all when there are none left, which ends it. */
hand_out(node)
int node;
{
  int i, j;

  work.first = first;
  work.rows = size - first < STRIP ? size - first : STRIP;
  for (i = 0; i < work.rows; i++)
    for (j = 0; j < size; j++) work.row[i * size + j] = a[first + i][j];
  csend(WORK, &work, strip_bytes(work.rows, size), node, NODE_PID);
  first += work.rows;
  return work.rows > 0;
}

/* Takes the rows of whichever node is first and says which one that was. */
int collect()
{
  int i, j;

  crecv(RESULT, &done, sizeof done);
  for (i = 0; i < done.rows; i++)
    for (j = 0; j < size; j++) c[done.first + i][j] = done.row[i * size + j];
  return infonode();
}

/* C times a vector is A times (B times the vector). */
int wrong_rows()
{
  static double x[MAXSIZE], bx[MAXSIZE];
  double abx, cx;
  int i, j, wrong = 0;

  for (i = 0; i < size; i++) x[i] = 1 + i % 7;
  for (i = 0; i < size; i++)
    for (bx[i] = 0, j = 0; j < size; j++) bx[i] += b[i][j] * x[j];
  for (i = 0; i < size; i++) {
    for (abx = cx = 0, j = 0; j < size; j++) {
      abx += a[i][j] * bx[j];
      cx += c[i][j] * x[j];
    }
    if (abx != cx) wrong++;
  }
  return wrong;
}

multiply()
{
  int node, i, working = 0;

  csend(SIZE, &size, sizeof size, -1, NODE_PID);
  for (i = 0; i < size; i++) csend(MATRIX, b[i], size * sizeof b[i][0], -1, NODE_PID);
  for (node = 0; node < nodes; node++) working += hand_out(node);
  while (working > 0) {
    node = collect();
    strips[node]++;
    if (!hand_out(node)) working--;
  }
}

main(argc, argv)
int argc;
char **argv;
{
  char type[16];
  unsigned long start;
  int i, wrong;

  if (argc > 1) nodes = atoi(argv[1]);
  if (argc > 2) size = atoi(argv[2]);
  if (nodes < 1 || nodes > MAXNODES || size < 1 || size > MAXSIZE) {
    fprintf(stderr, "usage: hmult_host [nodes up to %d [size up to %d]]\n", MAXNODES, MAXSIZE);
    exit(2);
  }
  fill();
  sprintf(type, "%d", nodes);
  getcube("hmult", type, (char *)0, 0);
  setpid(HOST_PID);
  load("hmult_node", -1, NODE_PID);
  start = mclock();
  multiply();
  printf("hmult: %d x %d on %d nodes, %lu ms\n", size, size, nodes, mclock() - start);
  printf("strips of each node:");
  for (i = 0; i < nodes; i++) printf(" %d", strips[i]);
  printf("\n");
  waitall(-1, NODE_PID);
  relcube("hmult");

  wrong = wrong_rows();
  if (wrong) {
    printf("hmult: %d rows are wrong\n", wrong);
    exit(1);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
