/* For programs that check themselves: says what does not hold, and where, and ends with status 1. */
#include <stdio.h>
#include <stdlib.h>

#define CHECK(what)                                                                     \
  do {                                                                                  \
    if (!(what)) {                                                                      \
      printf("node %d, %s:%d: not so: %s\n", (int)mynode(), __FILE__, __LINE__, #what); \
      exit(1);                                                                          \
    }                                                                                   \
  } while (0)
