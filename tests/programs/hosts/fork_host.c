/* A Paragon program that makes its nodes of itself. Its earlier settings are theirs; messages,
   global operations and files work among them. */
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nx.h>

#include "../common/check.h"

#define ASK 5L
#define TELL 6L

static long value = 1;

/* A node adds a process with another ptype to itself, and sends it a message. */
static void share()
{
  long me = mynode(), here[1], answer;

  here[0] = me;
  if (_nx_nfork(here, 1L, 8L, (long *)0) == 0) {
    CHECK(mynode() == me && mypid() == 8);
    crecv(ASK, (char *)&answer, (long)sizeof answer);
    CHECK(answer == 50 + me && infonode() == me && infopid() == 3);
    printf("EARL-OK\n");
    exit(0);
  }
  answer = 50 + me;
  csend(ASK, (char *)&answer, (long)sizeof answer, me, 8L);
}

static void work()
{
  long me = mynode(), sum = me, from = -1, i;

  CHECK(value == 4);
  CHECK(infotype() == -1 && infocount() == -1);
  CHECK(mypid() == 3 && numnodes() == 4 && myhost() == 4);
  gisum(&sum, 1L, &i);
  CHECK(sum == 0 + 1 + 2 + 3);
  csend(TELL, (char *)&me, (long)sizeof me, (me + 1) % 4, 3L);
  crecv(TELL, (char *)&from, (long)sizeof from);
  CHECK(from == (me + 3) % 4 && infonode() == from && infopid() == 3);
  crecv(ASK, (char *)&from, (long)sizeof from);
  CHECK(infonode() == myhost());
  share();
  csend(TELL, (char *)&me, (long)sizeof me, myhost(), 0L);
}

int main(argc, argv)
int argc;
char **argv;
{
  long pids[8], sum = 0, one, i;
  int status, ended = 0;

  CHECK(nx_initve("", 4L, "", &argc, argv) == 4);
  setptype(0L);
  one = 7;
  CHECK(nx_nfork(&one, 1L, 3L, pids) == -1 && errno == EQNODE);
  CHECK(nx_nfork((long *)0, -1L, -3L, pids) == -1 && errno == EQPID);
  value = 4;
  one = nx_nfork((long *)0, -1L, 3L, pids);
  if (one == 0) {
    work();
    printf("EARL-OK\n");
    return mynode() == 2 ? 9 : 0;
  }
  CHECK(one == 4);
  CHECK(nx_nfork((long *)0, -1L, 3L, pids + 4) == -1 && errno == EQUSEPID);
  for (i = 0; i < 4; ++i) csend(ASK, (char *)&i, (long)sizeof i, i, 3L);
  for (i = 0; i < 4; ++i) {
    crecv(TELL, (char *)&one, (long)sizeof one);
    CHECK(infopid() == 3 && infonode() == one);
    sum += one;
  }
  CHECK(sum == 0 + 1 + 2 + 3);
  CHECK(nx_waitall() == 0);
  /* They are the program's own children, too. */
  for (i = 0; i < 4; ++i) {
    one = wait(&status);
    CHECK(one == pids[0] || one == pids[1] || one == pids[2] || one == pids[3]);
    CHECK(WIFEXITED(status));
    ended += WEXITSTATUS(status);
  }
  CHECK(ended == 9);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
