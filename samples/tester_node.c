/* tester_node.c: Tester, a node's half: the same tests in the same order. See tester_host.c. */
#include <cube.h>
#include <errno.h>

#include "tester.h"

int me, nodes, host, wrong, line;
char big[LONG];

#define EXPECT(what) ((what) || wrong++ || (line = __LINE__))

/* Answers the host: its number plus this node's. */
answer()
{
  int x;

  crecv(ASK, &x, sizeof x);
  EXPECT(infonode() == host && infopid() == HOST_PID);
  x += me;
  csend(ANSWER, &x, sizeof x, host, HOST_PID);
}

reply()
{
  int x;

  crecv(CALL, &x, sizeof x);
  x *= 2;
  csend(REPLY, &x, sizeof x, infonode(), infopid());
}

lengths()
{
  csend(ANSWER, big, 3 * me, host, HOST_PID);
}

three_types()
{
  int type;

  type = REPLY, csend(type, &type, sizeof type, host, HOST_PID);
  type = MORE, csend(type, &type, sizeof type, host, HOST_PID);
  type = ANSWER, csend(type, &type, sizeof type, host, HOST_PID);
}

long_one()
{
  int i;

  errno = 0;
  EXPECT(_crecv(LONG_ONE, big, 10) == -1 && errno == EQMSGLONG);
  crecv(LONG_ONE, big, LONG);
  for (i = 0; i < LONG; i++) {
    EXPECT(big[i] == i % 101);
    big[i]++;
  }
  csend(LONG_ONE, big, LONG, host, HOST_PID);
}

errors()
{
  int x;

  EXPECT(_csend(ASK, &x, sizeof x, nodes + 9000, NODE_PID) == -1 && errno == EQNODE);
  EXPECT(_csend(ASK, &x, sizeof x, 0, -9) == -1 && errno == EQPID);
  EXPECT(_crecv(0x80000000, &x, sizeof x) == -1 && errno == EQTYPE);
  EXPECT(_irecv(ASK, (char *)0, 8) == -1 && errno == EQPBUF);
}

ring()
{
  int x = 0;

  if (me == 0) csend(ASK, &x, sizeof x, 1 % nodes, NODE_PID);
  crecv(ASK, &x, sizeof x);
  EXPECT(infonode() == (me + nodes - 1) % nodes && x == (me + nodes - 1) % nodes);
  x++;
  if (me != 0) csend(ASK, &x, sizeof x, (me + 1) % nodes, NODE_PID);
}

/* For gopf: the larger of two. */
larger(x, work)
double *x, *work;
{
  if (*work > *x) *x = *work;
}

together()
{
  double x = me + 0.5, work;
  long i = me, scratch, all[64], bytes;

  gsync();
  gdsum(&x, 1, &work);
  EXPECT(x == nodes * nodes / 2.0);
  gihigh(&i, 1, &scratch);
  EXPECT(i == nodes - 1);
  i = me * me;
  gcol(&i, sizeof i, all, sizeof all, &bytes);
  EXPECT(bytes == nodes * sizeof i && all[nodes - 1] == (nodes - 1) * (nodes - 1));
  x = me;
  gopf(&x, sizeof x, &work, larger);
  EXPECT(x == nodes - 1);
}

cancel()
{
  int x = 1, y = -1, id;

  id = irecv(STRAY, &y, sizeof y);
  msgcancel(id);
  csend(STRAY, &x, sizeof x, me, NODE_PID);
  csend(ASK, &x, sizeof x, me, NODE_PID);
  crecv(ASK, &x, sizeof x);
  EXPECT(y == -1 && iprobe(STRAY) == 1);
  flushmsg(STRAY, me, NODE_PID);
  EXPECT(iprobe(STRAY) == 0);
}

int calls, given;

count(type, count, node, pid)
long type, count, node, pid;
{
  calls++;
  EXPECT(type == CALL && count == sizeof given && node == (me + nodes - 1) % nodes && pid == 0);
}

handlers()
{
  int x = me, held;

  calls = 0;
  hrecv(CALL, &given, sizeof given, count);
  masktrap(1);
  gsync();
  csend(CALL, &x, sizeof x, (me + 1) % nodes, NODE_PID);
  gsync();
  held = calls;
  EXPECT(masktrap(0) == 1 && held == 0);
  while (calls == 0) flick();
  EXPECT(calls == 1 && given == (me + nodes - 1) % nodes);
}

misc()
{
  EXPECT(mynode() == me && mypid() == NODE_PID && myhost() != me && numnodes() == nodes);
  EXPECT(ginv(gray(me)) == me && dclock() > 0);
  led(1);
}

int (*tests[])() = {answer, answer, answer, reply,    lengths, three_types, long_one,
                    errors, ring,   together, cancel, handlers, misc};

main()
{
  struct verdict said;
  int i, go;

  me = mynode();
  nodes = numnodes();
  host = myhost();
  for (i = 0; i < sizeof tests / sizeof tests[0]; i++) {
    crecv(GO, &go, sizeof go);
    wrong = 0;
    EXPECT(go == i);
    (*tests[i])();
    said.wrong = wrong;
    said.line = line;
    csend(VERDICT, &said, sizeof said, host, HOST_PID);
  }
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
