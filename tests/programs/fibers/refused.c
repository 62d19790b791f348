/* Must not run on fibers: the macro says why. */
#include <nx.h>
#include <stdio.h>
#ifdef LOADS
#include <dlfcn.h>
#endif
#include <unistd.h>

#ifdef THREAD_LOCAL
__thread int number[THREAD_LOCAL] __attribute__((aligned(ALIGNED)));
#else
static int number[1];
#endif

int main(void) {
#ifdef FORKS
  if (fork() == 0 || _fork() == 0) return 0;
#endif
#ifdef LOADS
  if (!dlopen("libm.so.6", RTLD_NOW)) return 1;
#endif
  printf("ran on %d, %d\n", (int)mynode(), number[0]);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
