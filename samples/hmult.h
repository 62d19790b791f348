/* hmult.h: common definitions of HMult's host and nodes. */
#define MAXSIZE 1024
#define MAXNODES 64
#define STRIP 4 /* rows of A that a node gets at a time */

#define HOST_PID 100
#define NODE_PID 0

/* Message types. */
#define SIZE 1
#define MATRIX 2 /* a row of B */
#define WORK 3
#define RESULT 4

struct strip {
  int first, rows;
  double row[STRIP * MAXSIZE];
};

#define strip_bytes(rows, size) ((int)(2 * sizeof(int) + (rows) * (size) * sizeof(double)))
/* SPDX-License-Identifier: BSD-3-Clause */
