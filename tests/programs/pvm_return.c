/* A task leaves and comes back: others see it go, what was sent to it is lost with its groups and
   its entries, its context and the active receive buffer; the one that is being packed is not. */
#include "pvm_check.h"

#define GONE 3
#define LOST 4
#define BACK 5

static void child()
{
  int sending;

  pvm_setopt(PvmAutoErr, 0);
  CHECK(pvm_joingroup("travellers") == 0);
  sending = pvm_initsend(PvmDataDefault);
  CHECK(pvm_putinfo("luggage", sending, PvmMboxDefault) == 0);
  CHECK(pvm_send(pvm_mytid(), LOST) == 0 && pvm_send(pvm_mytid(), LOST) == 0);
  /* There are two messages by now, and one is taken. */
  CHECK(pvm_recv(-1, LOST) > 0);
  CHECK(pvm_send(pvm_parent(), BACK) == 0);
  CHECK(pvm_recv(pvm_parent(), GONE) > 0);
  pvm_setcontext(12);
  CHECK(pvm_exit() == 0 && pvm_exit() == 0);
  CHECK(pvm_getrbuf() == 0 && pvm_getsbuf() == sending && pvm_getcontext() == 0);

  CHECK(pvm_mytid() > 0 && pvm_pstat(pvm_mytid()) == PvmOk);
  CHECK(pvm_parent() == PvmNoParent);
  CHECK(pvm_nrecv(-1, -1) == 0);
  CHECK(pvm_gsize("travellers") == PvmNoGroup);
  CHECK(pvm_recvinfo("luggage", 0, PvmMboxDefault) == PvmNotFound);
  CHECK(pvm_joingroup("travellers") == 0);
}

int main()
{
  int kid, who, source, parent = pvm_parent();

  if (parent > 0) {
    child();
    pvm_initsend(PvmDataDefault);
    CHECK(pvm_send(parent, BACK) == 0);
    CHECK(pvm_recv(parent, BACK) > 0);
    pvm_exit();
    return 0;
  }
  CHECK(pvm_spawn("pvm_return_c", (char**)0, 0, "", 1, &kid) == 1);
  CHECK(pvm_recv(kid, BACK) > 0);
  CHECK(pvm_notify(PvmTaskExit, GONE, 1, &kid) == 0);
  pvm_initsend(PvmDataDefault);
  CHECK(pvm_send(kid, GONE) == 0);
  CHECK(pvm_recv(-1, GONE) > 0);
  CHECK(pvm_upkint(&who, 1, 1) == 0 && who == kid);
  CHECK(pvm_recv(-1, BACK) > 0);
  pvm_bufinfo(pvm_getrbuf(), (int*)0, (int*)0, &source);
  CHECK(pvm_gettid("travellers", 0) == source && pvm_pstat(source) == PvmOk);
  CHECK(pvm_send(source, BACK) == 0);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
