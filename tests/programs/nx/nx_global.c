/* All global operations, for any number of nodes. */
#include <cube.h>

#include "../common/check.h"

#define LENGTH 3
#define FILL(x, expression) \
  for (i = 0; i < LENGTH; i++) x[i] = (expression)
#define HOLDS(x, expression) \
  for (i = 0; i < LENGTH; i++) CHECK(x[i] == (expression))

double d[LENGTH], dwork[LENGTH];
float s[LENGTH], swork[LENGTH];
long l[LENGTH], lwork[LENGTH];

main()
{
  long me = mynode(), n = numnodes(), i, j, sum = 0, product = 1, or = 0, exclusive = 0;

  for (j = 0; j < n; j++) sum += j + 1, product *= j % 3 + 1, or |= 1 << j, exclusive ^= j * 5;

  FILL(d, me + 1 + i * 0.5);
  gdsum(d, 3L, dwork);
  HOLDS(d, sum + n * i * 0.5);
  FILL(d, me % 3 + 1);
  gdprod(d, 3L, dwork);
  HOLDS(d, product);
  FILL(d, me - i * 0.25);
  gdhigh(d, 3L, dwork);
  HOLDS(d, n - 1 - i * 0.25);
  FILL(d, me - i * 0.25);
  gdlow(d, 3L, dwork);
  HOLDS(d, -i * 0.25);

  FILL(s, me + 1);
  gssum(s, 3L, swork);
  HOLDS(s, sum);
  FILL(s, me % 3 + 1);
  gsprod(s, 3L, swork);
  HOLDS(s, product);
  FILL(s, -me);
  gshigh(s, 3L, swork);
  HOLDS(s, 0);
  FILL(s, -me);
  gslow(s, 3L, swork);
  HOLDS(s, 1 - n);

  FILL(l, me + 1 + i);
  gisum(l, 3L, lwork);
  HOLDS(l, sum + n * i);
  FILL(l, me % 3 + 1);
  giprod(l, 3L, lwork);
  HOLDS(l, product);
  FILL(l, me * i);
  gihigh(l, 3L, lwork);
  HOLDS(l, (n - 1) * i);
  FILL(l, i - me);
  gilow(l, 3L, lwork);
  HOLDS(l, i - (n - 1));
  FILL(l, -1L ^ 1L << me);
  giand(l, 3L, lwork);
  HOLDS(l, ~or);
  FILL(l, 1L << me);
  gior(l, 3L, lwork);
  HOLDS(l, or);
  FILL(l, me * 5);
  gixor(l, 3L, lwork);
  HOLDS(l, exclusive);

  FILL(l, me == i ? 0 : -1);
  gland(l, 3L, lwork); /* any value but 0 is true */
  HOLDS(l, i >= n);
  FILL(l, me == i ? 7 : 0);
  glor(l, 3L, lwork);
  HOLDS(l, i < n);
  FILL(l, me + 1);
  glxor(l, 3L, lwork);
  HOLDS(l, n % 2);

  gdsum(d, 0L, dwork);
  CHECK(_gdsum(d, -1L, dwork) == -1 && _gisum(l, 1L, lwork) == 0 && _gsync() == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
