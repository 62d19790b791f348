/*
 * tester_host.c: Tester, the host's half. Host and nodes go through the primitives of the cube
 * together, one test after the other; after each, every node sends its faults to the host.
 *   earlcc -host tester_host.c -o tester_host; earlcc -node tester_node.c -o tester_node
 *   tester_host [nodes]
 */
#include <cube.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tester.h"

int nodes = 4, wrong, line;
char big[LONG];

#define EXPECT(what) ((what) || wrong++ || (line = __LINE__))

/* Each node adds its number to the host's. */
test_csend()
{
  int node, x;

  for (node = 0; node < nodes; node++) {
    x = 1000 * node;
    csend(ASK, &x, sizeof x, node, NODE_PID);
    crecv(ANSWER, &x, sizeof x);
    EXPECT(x == 1001 * node && infonode() == node);
  }
}

test_broadcast()
{
  int node, x = 4711, sum = 0;

  csend(ASK, &x, sizeof x, -1, NODE_PID);
  for (node = 0; node < nodes; node++) {
    crecv(ANSWER, &x, sizeof x); /* in any order */
    EXPECT(x == 4711 + infonode());
    sum += infonode();
  }
  EXPECT(sum == nodes * (nodes - 1) / 2);
}

test_isend()
{
  int node, out[64], in[64], sent[64], got[64];

  for (node = 0; node < nodes; node++) got[node] = irecv(ANSWER, &in[node], sizeof in[node]);
  for (node = 0; node < nodes; node++) {
    out[node] = 5;
    sent[node] = isend(ASK, &out[node], sizeof out[node], node, NODE_PID);
  }
  for (node = 0; node < nodes; node++) {
    msgwait(sent[node]);
    while (!msgdone(got[node])) flick();
    EXPECT(in[node] == 5 + infonode());
  }
}

test_csendrecv()
{
  int node, x, y;

  for (node = 0; node < nodes; node++) {
    x = node + 7, y = -1;
    EXPECT(csendrecv(CALL, &x, sizeof x, node, NODE_PID, REPLY, &y, sizeof y) == sizeof y);
    EXPECT(y == 2 * x && infonode() == node);
  }
}

/* Node k sends 3 * k bytes: node 0 an empty message. */
test_info()
{
  char text[256];
  int node, k;

  for (k = 0; k < nodes; k++) {
    cprobe(ANSWER);
    node = infonode();
    EXPECT(infocount() == 3 * node && infotype() == ANSWER && infopid() == NODE_PID);
    EXPECT(iprobe(ANSWER) == 1);
    crecv(ANSWER, text, sizeof text);
  }
  EXPECT(iprobe(ANSWER) == 0);
}

/* A mask of types: 20 and 21, not the 31 that comes first from each node. */
test_select()
{
  int node, x;
  long mask = 0x80000000 | 1 << ANSWER | 1 << MORE;

  for (node = 0; node < 2 * nodes; node++) {
    crecv(mask, &x, sizeof x);
    EXPECT(x == infotype() && x != REPLY);
  }
  for (node = 0; node < nodes; node++) crecv(REPLY, &x, sizeof x);
}

test_long()
{
  int node, i;

  for (i = 0; i < LONG; i++) big[i] = i % 101;
  csend(LONG_ONE, big, LONG, -1, NODE_PID);
  for (node = 0; node < nodes; node++) {
    crecv(LONG_ONE, big, LONG);
    EXPECT(infocount() == LONG);
    for (i = 0; i < LONG; i++) EXPECT(big[i] == i % 101 + 1);
  }
}

test_errors()
{
  int x;

  EXPECT(_csend(ASK, &x, sizeof x, nodes + 9000, NODE_PID) == -1 && errno == EQNODE);
  EXPECT(_csend(-5, &x, sizeof x, 0, NODE_PID) == -1 && errno == EQTYPE);
  EXPECT(_csend(ASK, &x, -1, 0, NODE_PID) == -1 && errno == EQLEN);
  EXPECT(_msgwait(12345) == -1 && errno == EQMID);
  EXPECT(_setpid(HOST_PID + 1) == -1 && errno == EQSET);
}

/* The nodes' communication among themselves. */
idle() {}

test_misc()
{
  long v = 99;
  unsigned long start = mclock();

  EXPECT(numnodes() == nodes && mynode() == myhost() && mypid() == HOST_PID);
  EXPECT(1 << nodedim() <= nodes && nodes < 2 << nodedim());
  EXPECT(gray(6) == 5 && ginv(5) == 6);
  ctohl(&v, 1);
  EXPECT(v == 99 && mclock() >= start);
}

struct {
  char *name;
  int (*host)();
} tests[] = {
    {"csend, crecv", test_csend},
    {"csend to all", test_broadcast},
    {"isend, irecv, msgwait, msgdone", test_isend},
    {"csendrecv", test_csendrecv},
    {"cprobe, iprobe, info calls", test_info},
    {"type selectors", test_select},
    {"long messages", test_long},
    {"errors", test_errors},
    {"a ring of nodes", idle},
    {"gsync, gdsum, gihigh, gcol, gopf", idle},
    {"msgcancel, flushmsg", idle},
    {"hrecv, masktrap", idle},
    {"node, pid, clock, gray", test_misc},
};

/* Collects all nodes' faults of the test. */
listen()
{
  struct verdict said;
  int node;

  for (node = 0; node < nodes; node++) {
    crecv(VERDICT, &said, sizeof said);
    if (said.wrong)
      printf("node %d: %d wrong, the first in line %d\n", (int)infonode(), said.wrong, said.line);
    wrong += said.wrong;
  }
}

main(argc, argv)
int argc;
char **argv;
{
  char type[16];
  int i, all = 0;

  if (argc > 1) nodes = atoi(argv[1]);
  if (nodes < 1 || nodes > 64) {
    fprintf(stderr, "usage: tester_host [nodes up to 64]\n");
    exit(2);
  }
  sprintf(type, "%d", nodes);
  getcube("tester", type, (char *)0, 0);
  setpid(HOST_PID);
  load("tester_node", -1, NODE_PID);
  for (i = 0; i < sizeof tests / sizeof tests[0]; i++) {
    wrong = 0;
    csend(GO, &i, sizeof i, -1, NODE_PID);
    (*tests[i].host)();
    if (wrong) printf("host: %d wrong, the first in line %d\n", wrong, line);
    listen();
    printf("%-34s %s\n", tests[i].name, wrong ? "WRONG" : "ok");
    all += wrong;
  }
  waitall(-1, NODE_PID);
  relcube("tester");
  if (all) exit(1);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
