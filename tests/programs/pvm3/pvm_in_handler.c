/* A message handler (pvm_addmhf) may receive messages that are there already; it cannot wait. */
#include "pvm_check.h"

#define CALL 70

static int calls, early, late, nested, waits, depth;

static void put(tag, value)
int tag, value;
{
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&value, 1, 1);
  pvm_send(pvm_mytid(), tag);
}

static int unpacked()
{
  int value = -1;
  pvm_upkint(&value, 1, 1);
  return value;
}

static int handler(buffer)
int buffer;
{
  struct timeval soon;

  soon.tv_sec = 0, soon.tv_usec = 1000;
  nested += ++depth - 1;
  if (++calls == 1) {
    if (pvm_recv(-1, 80) > 0) early = unpacked();
    put(CALL, 0);
    put(82, 3);
    if (pvm_nrecv(-1, 81) > 0) early += unpacked();
    if (pvm_recv(-1, 82) > 0) late = unpacked();
    waits = pvm_recv(-1, 83) == PvmNotImpl && pvm_trecv(-1, 83, &soon) == PvmNotImpl;
  }
  depth--;
  return 0;
}

int main()
{
  pvm_setopt(PvmAutoErr, 0);
  pvm_mytid();
  put(80, 1);
  put(81, 20);
  CHECK(pvm_addmhf(-1, CALL, 0, handler) == 9);
  put(CALL, 0);
  while (calls < 2) CHECK(pvm_nrecv(-1, 1) == 0);
  CHECK(early == 21 && late == 3 && waits);
  CHECK(nested == 0);
  CHECK(pvm_nrecv(-1, -1) == 0);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
