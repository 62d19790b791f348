/* The PVM half: asks the process started before it, which is an NX node, and is answered. */
#include <pvm3.h>
#include <stdio.h>

main()
{
  int value = 4700, node = pvm_mytid() - 1;

  pvm_initsend(PvmDataRaw);
  pvm_pkbyte((char *)&value, 4, 1);
  pvm_send(node, 5);
  pvm_recv(node, 6);
  pvm_upkbyte((char *)&value, 4, 1);
  if (value == 4701) printf("EARL-OK\n");
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
