/* The global operations' other forms: they compute the same, and a failure is -1 on all nodes. */
#include <errno.h>

#include <nx.h>

#include "../common/check.h"

#define GIVES(call, x, mine, value)           \
  do {                                        \
    x = (mine);                               \
    CHECK(_##call(&x, 1L, &x##work) == 0);    \
    CHECK(x == (value));                      \
    errno = 0;                                \
    CHECK(_##call(&x, -1L, &x##work) == -1);  \
    CHECK(errno == EQLEN);                    \
    errno = 0;                                \
    CHECK(_##call(0, 1L, &x##work) == -1);    \
    CHECK(errno == EQPBUF && x == (value));   \
  } while (0)

double d, dwork;
float s, swork;
long l, lwork;

main()
{
  long me = mynode(), n = numnodes(), i, product = 1, all = 0, exclusive = 0;
  long lengths[64], gathered[64], twice[2];

  for (i = 0; i < n; i++) product *= i % 3 + 1, all |= 1L << i, exclusive ^= 5 * i;

  GIVES(gdsum, d, 2, 2 * n);
  GIVES(gdprod, d, me % 3 + 1, product);
  GIVES(gdhigh, d, me, n - 1);
  GIVES(gdlow, d, me, 0);
  GIVES(gssum, s, 2, 2 * n);
  GIVES(gsprod, s, me % 3 + 1, product);
  GIVES(gshigh, s, me, n - 1);
  GIVES(gslow, s, -me, 1 - n);
  GIVES(gisum, l, 2, 2 * n);
  GIVES(giprod, l, me % 3 + 1, product);
  GIVES(gihigh, l, me, n - 1);
  GIVES(gilow, l, -me, 1 - n);
  GIVES(giand, l, ~(1L << me), ~all);
  GIVES(gior, l, 1L << me, all);
  GIVES(gixor, l, 5 * me, exclusive);
  GIVES(gland, l, me + 1, 1);
  GIVES(glor, l, me == n - 1 ? -1 : 0, 1);
  GIVES(glxor, l, me == n - 1 ? 9 : 0, 1);

  /* gcolx: lengths differ, and may be 0. */
  for (i = 0; i < n; i++) lengths[i] = i % 3 * 8;
  twice[0] = me, twice[1] = -me;
  CHECK(_gcolx(twice, lengths, gathered) == 0);
  for (i = 0, l = 0; i < n; i++) {
    if (lengths[i] >= 8) CHECK(gathered[l++] == i);
    if (lengths[i] == 16) CHECK(gathered[l++] == -i);
  }
  CHECK(_gcolx(twice, (long *)0, gathered) == -1 && errno == EQPBUF);
  lengths[n - 1] = -1;
  CHECK(_gcolx(twice, lengths, gathered) == -1 && errno == EQLEN);
  CHECK(_gcol(twice, 8L, gathered, 512L, (long *)0) == -1 && errno == EQPBUF);
  CHECK(_gsync() == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
