/* Buffers that are made and kept, one that is freed, and those that PVM frees itself. */
#include <pvm3.h>

int main()
{
  int i, me = pvm_mytid();
  for (i = 0; i < 4; i++) pvm_mkbuf(PvmDataDefault); /* kept buffers */
  pvm_freebuf(pvm_mkbuf(PvmDataRaw));
  pvm_initsend(PvmDataRaw);
  pvm_send(me, 3);
  pvm_recv(me, 3);
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
