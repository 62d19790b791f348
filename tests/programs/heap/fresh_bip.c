#include <bip.h>

#include "fresh.h"

int main()
{
  int i;

  look(0);
  bip_init();
  for (i = 0; i < EXCHANGES; i++)
    if (bip_mynode == 0) {
      bip_send(1, (int *)message, BYTES / sizeof(int));
      bip_recv((int *)message, BYTES / sizeof(int));
    } else {
      bip_recv((int *)message, BYTES / sizeof(int));
      bip_send(0, (int *)message, BYTES / sizeof(int));
    }
  look(1);
  tell();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
