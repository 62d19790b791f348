/* Without Earl: the state of a heap. */
#include "fresh.h"

int main()
{
  look(0);
  look(1);
  tell();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
