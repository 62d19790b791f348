/* Must not run on fibers: what is defined says why. */
#include <nx.h>
#include <stdio.h>
#ifdef LOADS
#include <dlfcn.h>
#endif
#include <unistd.h>

#ifdef HIDDEN
int *hidden(void);
#endif
#ifdef THREAD_LOCAL
__thread int number = 1;
#else
static int number = 1;
#endif

int main(void) {
#ifdef FORKS
  if (fork() == 0 || _fork() == 0) return 0;
#endif
#ifdef LOADS
  if (!dlopen("libm.so.6", RTLD_NOW)) return 1;
#endif
#ifdef HIDDEN
  number = *hidden();
#endif
  printf("ran on %d, %d\n", (int)mynode(), number);
  return 0;
}
