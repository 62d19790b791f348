/* Contexts keep messages apart, and a spawned task starts in its parent's. */
#include "pvm_check.h"

#define TAG 7

static void child(expected)
int expected;
{
  int parent = pvm_parent(), value;

  CHECK(pvm_getcontext() == expected);
  CHECK(pvm_freecontext(expected) == PvmNotFound); /* its maker's */
  CHECK(pvm_newcontext() == 0x40002);
  value = 1;
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&value, 1, 1);
  pvm_send(parent, TAG);
  CHECK(pvm_setcontext(0) == expected);
  value = 2;
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&value, 1, 1);
  pvm_send(parent, TAG);
  pvm_exit();
}

int main(argc, argv)
int argc;
char** argv;
{
  int tid, context, value;
  char text[20], *arguments[2];

  if (pvm_parent() > 0) {
    child(atoi(argv[1]));
    return 0;
  }
  context = pvm_newcontext();
  CHECK(context == 0x40001 && pvm_newcontext() == 0x40002 && pvm_freecontext(0x40002) == 0);
  CHECK(pvm_setcontext(context) == 0);
  sprintf(text, "%d", context);
  arguments[0] = text;
  arguments[1] = 0;
  CHECK(pvm_spawn("pvm_context_c", arguments, 0, "", 1, &tid) == 1);
  /* The second message overtakes the first: another context. */
  pvm_setcontext(0);
  CHECK(pvm_recv(tid, TAG) > 0);
  pvm_upkint(&value, 1, 1);
  CHECK(value == 2);
  CHECK(pvm_nrecv(-1, -1) == 0);
  pvm_setcontext(-1);
  CHECK(pvm_recv(tid, -1) > 0);
  pvm_upkint(&value, 1, 1);
  CHECK(value == 1);
  CHECK(pvm_freecontext(context) == 0 && pvm_freecontext(context) == PvmNotFound);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
