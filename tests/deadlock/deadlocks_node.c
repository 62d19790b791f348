/* A node that waits for a word of its host. */
#include <nx.h>

int main(void) {
  long word = 0;
  crecvx(1, (char*)&word, sizeof word, myhost(), 0, msginfo);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
