/* Selecting by one type, by several, by none; looking; and the second way, which does not mix. */
#include "pvm2_check.h"

#define ME "pvm2_select_c"

static void say(type) int type;
{
  initsend();
  putnint(&type, 1);
  CHECK(snd(ME, 0, type) == 0);
}

int main() {
  static int odd[3] = {1, 3, 5}, none[2] = {40, 41}, any[2] = {2, -1}, bad[2] = {1, -3};
  int type;

  CHECK(enroll(ME) == 0);
  for (type = 1; type <= 6; type++) say(type);
  CHECK(probe(4) == 4 && probe(9) == PvmNoMsg && probe(-1) == 1);
  CHECK(probemulti(2, none) == PvmNoMsg && probemulti(3, odd) == 1);
  CHECK(rcv(3) == 3);
  CHECK(rcvmulti(3, odd) == 1);
  CHECK(rcvmulti(3, odd) == 5);
  CHECK(probemulti(3, odd) == PvmNoMsg);
  CHECK(rcvmulti(2, any) == 2);
  CHECK(rcvmulti(2, bad) == PvmBadParam && rcvmulti(0, odd) == PvmBadParam);
  CHECK(rcvmulti(2, (int*)0) == PvmBadParam);

  initsend();
  CHECK(vsnd(ME, 0, 4) == 0);
  say(4);
  CHECK(rcv(4) == 4 && getnint(&type, 1) == 0 && type == 4);
  CHECK(rcv(4) == 4 && rcv(-1) == 6 && probe(-1) == PvmNoMsg);
  CHECK(vrcv(4) == 4 && getnint(&type, 1) == PvmNoData);
  CHECK(vsnd(ME, 0, 5) == 0 && vrcvmulti(3, odd) == 5);
  leave();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
