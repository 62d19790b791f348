#include <pvm.h>

#include "fresh.h"

int main()
{
  int i, me;

  look(0);
  me = enroll("fresh");
  while (status("fresh", 1 - me) != 1) continue;
  for (i = 0; i < EXCHANGES; i++) {
    initsend();
    putbytes(message, BYTES);
    snd("fresh", 1 - me, i);
    rcv(i);
    getbytes(message, BYTES);
  }
  look(1);
  tell();
  leave();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
