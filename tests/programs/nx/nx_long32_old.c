/* Code that would not compile with a `long` made an `int` by a macro. */
#include <cube.h>

extern char *malloc(), *getenv();
extern int printf(), sscanf();
long time(), random();
long mine();
long int one;
unsigned long int two = 4000000000UL;
long long big;
long double fine = 1.5L;
struct pair { long a, b; } *p;

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#define CHECK(what) if (!(what)) { printf("line %d\n", __LINE__); return 1; } else

long mine(a, b) long a; long int b; { return a + b; }

main()
{
  struct rusage used;
  long long word = 1LL << 40;

  CHECK(sizeof one == 4 && sizeof two == 4 && sizeof big == 8 && sizeof fine == sizeof(long double));
  CHECK(sizeof(struct pair) == 8 && sizeof 0L == 4 && (long)word == 0 && word / 1024 == 1 << 30);
  p = (struct pair *)malloc(sizeof *p);
  one = -5;
  CHECK(sscanf("6 7", "%ld %ld", &p->a, &p->b) == 2 && mine(p->a, p->b) == 13);
  CHECK(getrusage(RUSAGE_SELF, &used) == 0 && time((time_t *)0) > 1000000);
  if (mynode() == 0) printf("%ld %lu\n", one, two);
  gsync();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
