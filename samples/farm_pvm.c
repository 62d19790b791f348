/* farm_pvm.c: a PVM task that works for any process that sends it work; here an NX program. */
#include <pvm3.h>
#include <stdio.h>

#define WORK 1
#define RESULT 2

main()
{
  int buffer, bytes, tag, from, piece[2];

  pvm_mytid();
  for (;;) {
    buffer = pvm_recv(-1, WORK);
    pvm_bufinfo(buffer, &bytes, &tag, &from);
    pvm_upkbyte((char *)piece, 4, 1); /* raw bytes: NX packs nothing */
    if (piece[0] < 0) break;
    piece[1] = piece[0] * piece[0];
    pvm_initsend(PvmDataRaw);
    pvm_pkbyte((char *)piece, 8, 1);
    pvm_send(from, RESULT);
  }
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
