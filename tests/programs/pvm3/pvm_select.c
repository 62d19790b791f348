/* Waits with select(), as programs with a user at the terminal do: for the standard input and for
   PVM's descriptors. With a word behind it, it reads what is typed to its end, too, and makes the
   file `seen` once it has read some. */
#include "pvm_check.h"

#include <fcntl.h>
#include <sys/select.h>
#include <sys/types.h>
#include <unistd.h>

#define GO 1
#define ITEM 2
#define ROUNDS 20

static void child()
{
  int i;

  for (i = 0; i < ROUNDS; i++) {
    CHECK(pvm_recv(pvm_parent(), GO) > 0);
    /* The time under test: the parent's select() waits, and now and then for long. */
    if (i % 8 == 0) usleep(20000);
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&i, 1, 1);
    CHECK(pvm_send(pvm_parent(), ITEM) == 0);
  }
  pvm_exit();
}

static void ask(kid)
int kid;
{
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_send(kid, GO) == 0);
}

/* Takes all that is there. */
static int take(kid, received)
int kid, received;
{
  int value;

  while (pvm_nrecv(kid, ITEM) > 0) {
    CHECK(pvm_upkint(&value, 1, 1) == 0 && value == received);
    if (++received < ROUNDS) ask(kid);
  }
  return received;
}

int main(argc, argv)
int argc;
char** argv;
{
  int kid, received = 0, typing = argc > 1, typed = 0, n, i, widest, *fds, rung;
  char text[64];
  fd_set ready;

  if (pvm_parent() > 0) {
    child();
    return 0;
  }
  CHECK(pvm_spawn("pvm_select_c", (char**)0, 0, "", 1, &kid) == 1);
  ask(kid);
  while (received < ROUNDS || typing) {
    FD_ZERO(&ready);
    if (typing) FD_SET(0, &ready);
    n = pvm_getfds(&fds);
    CHECK(n > 0);
    for (i = widest = 0; i < n; i++) {
      FD_SET(fds[i], &ready);
      if (fds[i] > widest) widest = fds[i];
    }
    CHECK(select(widest + 1, &ready, (fd_set*)0, (fd_set*)0, (struct timeval*)0) > 0);
    for (i = rung = 0; i < n; i++) rung += FD_ISSET(fds[i], &ready) != 0;
    if (rung > 0) received = take(kid, received);
    if (typing && FD_ISSET(0, &ready)) {
      n = read(0, text, sizeof text);
      if (n <= 0) typing = 0;
      if (n > 0) {
        typed += n;
        close(open("seen", O_WRONLY | O_CREAT, 0600));
      }
    }
  }
  printf("%d characters typed\n", typed);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
