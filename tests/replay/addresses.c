/* Addresses of objects, which programs compare and hash. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

static int variable;

/* Under a sanitizer Earl allocates from the program's heap, and other blocks in a replay than in a
   recorded run. */
#if defined(__SANITIZE_ADDRESS__)
#define SHARED_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHARED_HEAP 1
#endif
#endif
#ifndef SHARED_HEAP
#define SHARED_HEAP 0
#endif

int main()
{
  void *small = malloc(100), *large = malloc(1000000), *late;

  gsync();
  late = malloc(100);
  if (SHARED_HEAP)
    printf("%ld: %p\n", mynode(), (void *)&variable);
  else
    printf("%ld: %p %p %p %p %p\n", mynode(), (void *)&variable, (void *)&small, small, late, large);
  free(late);
  free(large);
  free(small);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
