/* Extended arithmetic: 64 bits in two words. */
#include <errno.h>

#include <nx.h>

#include "../common/check.h"

main()
{
  esize_t a, b, c;
  char digits[24];

  a = stoe("4294967295");
  CHECK(a.slow == 0xffffffff && a.shigh == 0);
  b = eadd1(a, 1L);
  CHECK(b.slow == 0 && b.shigh == 1 && ecmp(a, b) == -1 && ecmp(b, a) == 1 && ecmp(a, a) == 0);
  c = esub1(b, 1L);
  CHECK(ecmp(c, a) == 0);
  c = esub(a, b);
  CHECK(c.slow == 0xffffffff && c.shigh == -1);
  etos(c, digits);
  CHECK(strcmp(digits, "-1") == 0);
  c = eadd(a, b);
  etos(c, digits);
  CHECK(strcmp(digits, "8589934591") == 0);
  c = emul(b, -3L);
  etos(c, digits);
  CHECK(strcmp(digits, "-12884901888") == 0 && ediv(c, 16L) == -805306368 && emod(c, 10L) == -8);

  /* A result that does not fit is an error: of the quotient, of the sum, of the text. */
  errno = 0;
  CHECK(_ediv(b, 1L) == -1 && errno == EQESIZE);
  a = stoe("9223372036854775807");
  errno = 0;
  c = _eadd1(a, 1L);
  CHECK(c.slow == 0xffffffff && c.shigh == -1 && errno == EQESIZE);
  errno = 0;
  _emul(a, 2L);
  CHECK(errno == EQESIZE);
  errno = 0;
  _stoe("12 monkeys");
  CHECK(errno == EQESIZE);
  CHECK(_emod(a, 0L) == -1 && errno == EQPARAM);
  CHECK(_etos(a, digits) == 0 && strcmp(digits, "9223372036854775807") == 0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
