#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

static void *start(void *argument) { return argument; }

void call_forbidden(int which) {
  pthread_t thread;
  if (which == 1) pthread_create(&thread, 0, start, 0);
  if (which == 2) dlopen("libm.so.6", RTLD_NOW);
  if (which == 3) execl("/bin/true", "true", (char *)0);
  if (which == 4 && fork() == 0) _exit(0);
  if (which == 5 && vfork() == 0) _exit(0);
}
/* SPDX-License-Identifier: BSD-3-Clause */
