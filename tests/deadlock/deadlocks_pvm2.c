/* PVM 2 components of which the last waits for an event, the others for it at a barrier. */
#include <pvmuser.h>

int main(void) {
  int const me = enroll("deadlocks_pvm2");
  if (me == 2) waituntil("whistle");
  barrier("the end", 3);
  leave();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
