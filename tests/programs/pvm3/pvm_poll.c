/* A task that polls: nrecv and probe say "nothing" until there is something, and a message that was
   probed is the one that is received. */
#include "pvm_check.h"

#define ASK 1
#define REPLY 2
#define ROUNDS 50

static void echo()
{
  int i, n;

  for (i = 0; i < ROUNDS; i++) {
    pvm_recv(-1, ASK);
    pvm_upkint(&n, 1, 1);
    n++;
    pvm_initsend(PvmDataRaw);
    pvm_pkint(&n, 1, 1);
    pvm_send(pvm_parent(), REPLY);
  }
  pvm_exit();
}

int main()
{
  int child, i, n, id, seen, misses = 0;

  if (pvm_parent() > 0) {
    echo();
    return 0;
  }
  CHECK(pvm_spawn("pvm_poll_c", (char**)0, 0, "", 1, &child) == 1);
  for (i = 0; i < ROUNDS; i++) {
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&i, 1, 1);
    CHECK(pvm_nrecv(child, REPLY) == 0);
    CHECK(pvm_send(child, ASK) == 0);
    if (i % 2) {
      while ((id = pvm_nrecv(child, REPLY)) == 0) misses++;
    } else {
      while ((seen = pvm_probe(-1, REPLY)) == 0) misses++;
      CHECK(pvm_probe(child, -1) == seen);
      id = pvm_recv(child, -1);
      CHECK(id == seen);
    }
    CHECK(id > 0);
    CHECK(pvm_upkint(&n, 1, 1) == 0);
    CHECK(n == i + 1);
  }
  pvm_exit();
  fprintf(stderr, "%d misses\n", misses);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
