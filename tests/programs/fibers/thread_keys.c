/* Keys of threads: the same number may mean something else on each node. */
#include <errno.h>
#include <limits.h>
#include <nx.h>
#include <pthread.h>
#include <threads.h>

#include "../common/check.h"

static pthread_key_t keys[PTHREAD_KEYS_MAX];
static int destroyed, values[2] = {1, 2};

static void destroy(void *value) { destroyed += *(int *)value; }

static int create_all(void) {
  int count = 0;
  while (count < PTHREAD_KEYS_MAX && pthread_key_create(&keys[count], destroy) == 0) ++count;
  return count;
}

static void say(void) {
  CHECK(destroyed == 3);
  puts("EARL-OK");
}

int main(void) {
  int me = mynode(), count = create_all();
  tss_t other;
  /* Nearly all, for any use by others: the C library may keep some. */
  CHECK(count > PTHREAD_KEYS_MAX - 20);
  if (count < PTHREAD_KEYS_MAX) CHECK(pthread_key_create(&keys[count], 0) == EAGAIN);
  CHECK(pthread_key_delete(keys[count - 1]) == 0 && tss_create(&other, 0) == thrd_success);
  CHECK(pthread_getspecific(keys[5]) == 0);
  pthread_setspecific(keys[5], &values[me % 2]);
  tss_set(other, &values[1]);
  gsync();
  CHECK(pthread_getspecific(keys[5]) == &values[me % 2] && tss_get(other) == &values[1]);
  tss_delete(other);
  pthread_setspecific(keys[5], &values[0]);
  pthread_setspecific(keys[6], &values[1]);
  atexit(say);
  pthread_exit(0);
}
/* SPDX-License-Identifier: BSD-3-Clause */
