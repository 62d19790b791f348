#include <nx.h>

#include "fresh.h"

int main()
{
  int i;

  look(0);
  for (i = 0; i < EXCHANGES; i++)
    if (mynode() == 0) {
      csend(1, message, BYTES, 1, 0);
      crecv(2, message, BYTES);
    } else {
      crecv(1, message, BYTES);
      csend(2, message, BYTES, 0, 0);
    }
  look(1);
  tell();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
