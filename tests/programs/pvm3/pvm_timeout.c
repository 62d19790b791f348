/* trecv returns when nothing comes, frees the old message then, and waits long enough when
   something does come. */
#include "pvm_check.h"

#define GO 1
#define HERE 2

int main()
{
  int child, id;
  struct timeval little, much;

  little.tv_sec = 0;
  little.tv_usec = 3000;
  much.tv_sec = 60;
  much.tv_usec = 0;
  if (pvm_parent() > 0) {
    CHECK(pvm_recv(pvm_parent(), GO) > 0);
    pvm_initsend(PvmDataDefault);
    pvm_send(pvm_parent(), HERE);
    pvm_exit();
    return 0;
  }
  CHECK(pvm_spawn("pvm_timeout_c", (char**)0, 0, "", 1, &child) == 1);
  CHECK(pvm_trecv(child, -1, &little) == 0);
  CHECK(pvm_getrbuf() == 0);
  pvm_initsend(PvmDataDefault);
  pvm_send(child, GO);
  id = pvm_trecv(-1, HERE, &much);
  CHECK(id > 0);
  CHECK(pvm_getrbuf() == id);
  CHECK(pvm_trecv(-1, HERE, &little) == 0);
  CHECK(pvm_getrbuf() == 0);
  CHECK(much.tv_sec == 60);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
