/* The program's own functions on the way of a message: predicates (pvm_recvf), handlers
   (pvm_addmhf). */
#include "pvm_check.h"

#define WORK 5
#define QUIET 6

static int handled, handled_sum;

static int handler(id)
int id;
{
  int value, bytes, tag, tid;

  CHECK(pvm_getrbuf() == id && pvm_getsbuf() == 0);
  CHECK(pvm_bufinfo(id, &bytes, &tag, &tid) == 0 && tag == QUIET);
  CHECK(pvm_upkint(&value, 1, 1) == 0);
  handled++;
  handled_sum += value;
  /* An answer may be sent from here. */
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&value, 1, 1);
  pvm_send(tid, WORK);
  return 0;
}

/* Prefers the largest tag, of those that are large enough. */
static int largest(id, tid, tag)
int id, tid, tag;
{
  int its_tag;

  pvm_bufinfo(id, (int*)0, &its_tag, (int*)0);
  return its_tag >= tag ? its_tag : 0;
}

static int refuses(id, tid, tag)
int id, tid, tag;
{
  return PvmDenied;
}

static void put(tid, tag, value)
int tid, tag, value;
{
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&value, 1, 1);
  pvm_pkint(&value, 1, 1);
  pvm_send(tid, tag);
}

static int take(tag)
int tag;
{
  int value;

  CHECK(pvm_recv(-1, tag) > 0);
  CHECK(pvm_upkint(&value, 1, 1) == 0);
  return value;
}

int main(argc, argv)
int argc;
char** argv;
{
  int kid, i, id, value, from, tag, bytes;
  int (*before)();

  pvm_setopt(PvmAutoErr, 0);
  /* By their names in PVM 3.0 to 3.2. */
  CHECK(pvm_serror(1) == 0 && pvm_getopt(PvmAutoErr) == 1 && pvm_serror(0) == 1);
  CHECK(pvm_advise(PvmRouteDirect) == PvmAllowDirect && pvm_getopt(PvmRoute) == PvmRouteDirect);
  CHECK(pvm_advise(99) == PvmBadParam && pvm_advise(PvmAllowDirect) == PvmRouteDirect);
  if (pvm_parent() > 0) {
    for (i = 0; i < 4; i++) put(pvm_parent(), WORK, (i * 3) % 4);
    put(pvm_parent(), QUIET, 40);
    CHECK(take(WORK) == 40);
    for (i = 1; i <= 3; i++) put(pvm_parent(), QUIET, i);
    put(pvm_parent(), 51, 1);
    put(pvm_parent(), 53, 3);
    put(pvm_parent(), 52, 2);
    put(pvm_parent(), WORK, 9);
    pvm_exit();
    return 0;
  }
  id = pvm_addmhf(-1, QUIET, 0, handler);
  CHECK(id == 9);
  CHECK(pvm_addmhf(-1, QUIET, 0, handler) == PvmExists);
  CHECK(pvm_addmhf(-1, -1, -1, handler) == PvmExists);
  CHECK(pvm_addmhf(1, 1, 1, handler) == 10 && pvm_addmhf(2, 1, 1, handler) == 11);
  CHECK(pvm_delmhf(11) == 0 && pvm_delmhf(10) == 0);
  CHECK(pvm_addmhf(3, 1, 1, handler) == 10 && pvm_delmhf(10) == 0);
  CHECK(pvm_spawn("pvm_functions_c", (char**)0, 0, "", 1, &kid) == 1);
  CHECK(take(WORK) == 0);
  CHECK(pvm_precv(kid, WORK, &value, 1, PVM_INT, &from, &tag, &bytes) == 0);
  CHECK(from == kid && tag == WORK && bytes == 8);
  while (handled < 4) CHECK(pvm_nrecv(-1, 1) == 0);
  CHECK(handled_sum == 46);
  CHECK(pvm_delmhf(id) == 0 && pvm_delmhf(id) == PvmNotFound && pvm_delmhf(-1) == PvmBadParam);
  while ((id = pvm_probe(kid, WORK)) == 0) continue;
  CHECK(pvm_recv(kid, WORK) == id);
  CHECK(pvm_upkint(&value, 1, 1) == 0 && value == 2);
  CHECK(take(WORK) == 1);
  CHECK(take(WORK) == 9);
  before = pvm_recvf(largest);
  CHECK(before != 0);
  CHECK(take(52) == 3);
  CHECK(pvm_recvf(refuses) == largest);
  CHECK(pvm_nrecv(-1, 1) == PvmDenied);
  pvm_recvf(largest);
  CHECK(take(1) == 2);
  CHECK(take(1) == 1);
  CHECK(pvm_nrecv(-1, 1) == 0);
  pvm_recvf((int (*)())0);
  put(pvm_mytid(), WORK, 77);
  CHECK(take(WORK) == 77);
  CHECK(pvm_addmhf(1, 1, 1, handler) == 9);
  pvm_exit();
  CHECK(pvm_addmhf(2, 1, 1, handler) == 9);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
