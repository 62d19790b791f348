/* Node 1 keeps five message ids; comments name the lines that a report must name. */
#include <cube.h>

int main()
{
  char text[8];
  long i, id = irecv(5, text, 8); /* kept receive */
  if (mynode() == 0) {
    msgcancel(id);
    for (i = 0; i < 3; i++) crecv(6, text, 8);
    return 0;
  }
  for (i = 0; i < 3; i++) isend(6, text, 8, 0, 0); /* kept sends */
  msgwait(isend(7, text, 8, 1, 0));
  crecv(7, text, 8);
  msgmerge(isend(8, text, 8, 1, 0), isend(8, text, 8, 1, 0)); /* kept merge */
  for (i = 0; i < 2; i++) crecv(8, text, 8);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
