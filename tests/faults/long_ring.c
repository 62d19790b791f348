/* Two nodes send each other long messages, on and on; node 1 says who it is when they have begun. */
#include <nx.h>
#include <stdio.h>
#include <unistd.h>

static char out[1 << 20], in[1 << 20];

int main(void) {
  long const other = 1 - mynode();
  long laps;
  for (laps = 0;; laps++) {
    csend(1L, out, (long)sizeof out, other, 0L);
    crecv(1L, in, (long)sizeof in);
    if (laps != 10 || mynode() != 1) continue;
    printf("%d\n", (int)getpid());
    fflush(stdout);
  }
}
