/* A task leaves and comes back as a new task, with another tid: others see it go, messages sent to
   it is lost with its groups and its entries, its context and the active receive buffer; the one
   that is being packed is not. What it sent stays apart from what it sends. */
#include "pvm_check.h"

#define GONE 3
#define LOST 4
#define BACK 5
#define MAIL 6
#define SHORT 7
#define LEAVE 8

static void tell(to, tag, value)
int to, tag, value;
{
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_pkint(&value, 1, 1) == 0 && pvm_send(to, tag) == 0);
  CHECK(pvm_psend(to, SHORT, (char*)&value, 1, PVM_INT) == 0);
}

static int receive(from, tag)
int from, tag;
{
  int value, source, id = pvm_recv(from, tag);

  CHECK(id > 0 && pvm_upkint(&value, 1, 1) == 0);
  pvm_bufinfo(id, (int*)0, (int*)0, &source);
  CHECK(from == -1 || source == from);
  return value;
}

static void leave_and_return()
{
  int sending, tid = pvm_mytid(), parent = pvm_parent();

  pvm_setopt(PvmAutoErr, 0);
  CHECK(pvm_joingroup("travellers") == 0);
  tell(parent, MAIL, 1);
  sending = pvm_initsend(PvmDataDefault);
  CHECK(pvm_putinfo("a message", sending, PvmMboxDefault) == 0);
  CHECK(pvm_send(tid, LOST) == 0 && pvm_send(tid, LOST) == 0);
  /* There are two messages by now, and one is taken. */
  CHECK(pvm_recv(-1, LOST) > 0);
  CHECK(pvm_send(parent, BACK) == 0);
  CHECK(pvm_recv(parent, LEAVE) > 0);
  pvm_setcontext(12);
  CHECK(pvm_exit() == 0 && pvm_exit() == 0);
  CHECK(pvm_getrbuf() == 0 && pvm_getsbuf() == sending && pvm_getcontext() == 0);

  CHECK(pvm_mytid() > 0 && pvm_mytid() != tid && pvm_pstat(pvm_mytid()) == PvmOk);
  CHECK(pvm_pstat(tid) == PvmNoTask);
  CHECK(pvm_parent() == PvmNoParent);
  CHECK(pvm_nrecv(-1, -1) == 0);
  CHECK(pvm_gsize("travellers") == PvmNoGroup);
  CHECK(pvm_recvinfo("a message", 0, PvmMboxDefault) == PvmNotFound);
  CHECK(pvm_joingroup("travellers") == 0);
  CHECK(pvm_getinst("travellers", tid) == PvmNotInGroup);
  CHECK(pvm_getinst("travellers", pvm_mytid()) == 0);
}

static void child()
{
  int parent = pvm_parent(), tid = pvm_mytid(), value;

  leave_and_return();
  tell(parent, MAIL, 2);
  tell(parent, BACK, 0);
  /* The parent has written to the one that has left, too. */
  CHECK(receive(parent, BACK) == 4);
  CHECK(pvm_precv(parent, SHORT, (char*)&value, 1, PVM_INT, (int*)0, (int*)0, (int*)0) == 0);
  CHECK(value == 4);
  CHECK(receive(-1, GONE) == 5);
  CHECK(pvm_nrecv(-1, GONE) == 0 && pvm_nrecv(tid, -1) == 0);
  pvm_exit();
}

static void with_the_new(kid, now)
int kid, now;
{
  int value, both[2];

  CHECK(pvm_probe(now, MAIL) > 0 && receive(now, MAIL) == 2);
  CHECK(pvm_precv(now, SHORT, (char*)&value, 1, PVM_INT, (int*)0, (int*)0, (int*)0) == 0);
  CHECK(value == 2);
  CHECK(receive(kid, MAIL) == 1 && pvm_nrecv(kid, MAIL) == 0);
  CHECK(pvm_precv(kid, SHORT, (char*)&value, 1, PVM_INT, (int*)0, (int*)0, (int*)0) == 0);
  CHECK(value == 1);
  tell(kid, BACK, 3);
  tell(now, BACK, 4);
  both[0] = kid;
  both[1] = now;
  value = 5;
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_pkint(&value, 1, 1) == 0 && pvm_mcast(both, 2, GONE) == 0);
}

int main()
{
  int kid, now;

  if (pvm_parent() > 0) {
    child();
    return 0;
  }
  CHECK(pvm_spawn("pvm_return_c", (char**)0, 0, "", 1, &kid) == 1);
  CHECK(pvm_recv(kid, BACK) > 0);
  CHECK(pvm_notify(PvmTaskExit, GONE, 1, &kid) == 0);
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_send(kid, LEAVE) == 0);
  CHECK(receive(-1, GONE) == kid);
  CHECK(receive(-1, BACK) == 0);
  pvm_bufinfo(pvm_getrbuf(), (int*)0, (int*)0, &now);
  CHECK(now != kid && pvm_gettid("travellers", 0) == now);
  CHECK(pvm_pstat(now) == PvmOk && pvm_pstat(kid) == PvmNoTask);
  with_the_new(kid, now);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
