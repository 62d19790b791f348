/* For host.c: sends received messages back. */
#include <nx.h>

#include "../common/check.h"

int main(void) {
  long number;
  crecv(1, (char *)&number, sizeof number);
  CHECK(number == mynode() && infonode() == myhost());
  csend(2, (char *)&number, sizeof number, myhost(), 0);
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
