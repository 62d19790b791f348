/* Formats of a program whose `long` has 4 bytes: nothing beside a word is read or written. */
#include <nx.h>

#include "../common/check.h"

static char text[600];

static formatted(format, a, b) char *format; long a, b;
{
  sprintf(text, format, a, b);
}

main()
{
  long x[4], n = -5, i;
  double d = 0;
  unsigned long u = 4000000000U;

  for (i = 0; i < 4; i++) x[i] = 77;
  CHECK(sscanf("1 2", "%ld", &x[0]) == 1 && x[0] == 1 && x[1] == 77);
  CHECK(sscanf("-3 4 0x10 2.5", "%ld %*ld %lx %lf", &x[1], &x[2], &d) == 3);
  CHECK(x[0] == 1 && x[1] == -3 && x[2] == 16 && x[3] == 77 && d == 2.5);
  CHECK(sscanf("ab12", "%[a-z]%ld%ln", text, &x[0], &x[2]) == 2 && x[0] == 12 && x[2] == 4 && x[3] == 77);
  formatted("%ld %ld", n, 7L);
  CHECK(strcmp(text, "-5 7") == 0);
  CHECK(sprintf(text, "%lu|%lx|%-8ld|%08.3lf|%5ld%%", u, n, n, 1.5, n) > 0);
  CHECK(strcmp(text, "4000000000|fffffffb|-5      |0001.500|   -5%") == 0);
  CHECK(snprintf(text, 4, "%ld", 123456L) == 6 && strcmp(text, "123") == 0);
  if (mynode() == 0) {
    printf("n is %ld\n", n);
    fprintf(stdout, "u is %lu\n", u);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
