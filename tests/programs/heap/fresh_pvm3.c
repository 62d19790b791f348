#include <pvm3.h>

#include "fresh.h"

int main()
{
  int i, mine, other, *tids;

  look(0);
  mine = pvm_mytid();
  if (pvm_siblings(&tids) != 2) return 1;
  other = tids[tids[0] == mine];
  for (i = 0; i < EXCHANGES; i++) {
    pvm_initsend(PvmDataRaw);
    pvm_pkbyte(message, BYTES, 1);
    pvm_send(other, i);
    pvm_recv(other, i);
    pvm_upkbyte(message, BYTES, 1);
  }
  look(1);
  tell();
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
