/* psend and precv, also mixed with send and recv, short and long, cut and whole. Both sides send
   first: no send may wait for its receiver. */
#include "pvm_check.h"

#define LONG 300000
#define SWAP 1
#define MIXED 2
#define SHORT 3

static double mine[LONG], theirs[LONG];

static void talk(partner, seed)
int partner, seed;
{
  int i, from, tag, length, three[3];
  float pair[2];

  for (i = 0; i < LONG; i++) mine[i] = seed + i;
  CHECK(pvm_psend(partner, SWAP, mine, LONG, PVM_DOUBLE) == 0);
  for (i = 0; i < LONG; i++) mine[i] = -1;
  CHECK(pvm_precv(-1, SWAP, theirs, LONG, PVM_DOUBLE, &from, &tag, &length) == 0);
  CHECK(from == partner);
  CHECK(tag == SWAP);
  CHECK(length == LONG * sizeof(double));
  for (i = 0; i < LONG; i++) CHECK(theirs[i] == 3 - seed + i);

  pvm_initsend(PvmDataRaw);
  for (i = 0; i < 3; i++) pvm_pkint(&i, 1, 1);
  CHECK(pvm_send(partner, MIXED) == 0);
  three[2] = 99;
  CHECK(pvm_precv(partner, MIXED, three, 2, PVM_INT, (int*)0, (int*)0, &length) == 0);
  CHECK(three[1] == 1);
  CHECK(three[2] == 99);
  CHECK(length == 12);

  pair[0] = seed;
  pair[1] = -seed;
  CHECK(pvm_psend(partner, SHORT, pair, 1, PVM_CPLX) == 0);
  CHECK(pvm_recv(partner, SHORT) > 0);
  CHECK(pvm_upkcplx(pair, 1, 1) == 0);
  CHECK(pair[0] == 3 - seed);
  CHECK(pvm_upkcplx(pair, 1, 1) == PvmNoData);
}

int main()
{
  int child;

  pvm_setopt(PvmAutoErr, 0);
  if (pvm_parent() > 0) {
    talk(pvm_parent(), 2);
    pvm_exit();
    return 0;
  }
  CHECK(pvm_spawn("pvm_pair_c", (char**)0, 0, "", 1, &child) == 1);
  talk(child, 1);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
