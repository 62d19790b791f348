/* tester.h: common definitions of Tester's host and nodes. */
#define HOST_PID 100
#define NODE_PID 0

/* Message types. */
#define GO 5 /* the next test begins */
#define ASK 10
#define ANSWER 20
#define MORE 21
#define CALL 30
#define REPLY 31
#define LONG_ONE 40
#define STRAY 50
#define VERDICT 99

#define LONG 100000 /* bytes */

/* A node's faults in one test: their number, and the first one's line in tester_node.c. */
struct verdict {
  int wrong, line;
};
/* SPDX-License-Identifier: BSD-3-Clause */
