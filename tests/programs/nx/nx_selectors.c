/* Every way to select a type. Node 0 sends, the others receive in another order. */
#include <cube.h>

#include "../common/check.h"

#define SEND(type) (value = type, csend(type, &value, sizeof value, -1L, 0L))
#define EXPECT(selector, type)                                     \
  (value = -1, crecv(selector, &value, (long)sizeof value),        \
   CHECKED(value == (type) && infotype() == (type), #selector))
#define CHECKED(ok, text) ((ok) ? 0 : (printf("%s took %d\n", text, value), exit(1), 0))

int value;

main()
{
  if (mynode() == 0) {
    SEND(3), SEND(2), SEND(100), SEND(0), SEND(40), SEND(30), SEND(29), SEND(7), SEND(999999999);
    SEND(0x3fffffff), SEND(1), SEND(0x40000001), SEND(5);
  } else {
    cprobe(5L);                                   /* the last one: all are here */
    EXPECT(0x80000007, 2);                        /* types 0, 1, 2; as p4 writes it: unsigned */
    EXPECT(100L, 100);
    EXPECT((long)(int)0x80000003, 0);             /* the same kind as a negative number */
    EXPECT(-1L, 3);
    EXPECT(0x80000000 + (1 << 7) + (1 << 5), 7);  /* sums of bits, as PVM makes them */
    EXPECT(0xc0000000, 40);                       /* bit 30: everything from 30 on */
    EXPECT(-1L, 30);
    EXPECT((long)0xa0000000, 29);                 /* a positive long */
    EXPECT(-1L, 999999999);
    EXPECT(-1L, 0x3fffffff);
    EXPECT(0x80000007, 1);
    EXPECT(-1L, 5);                               /* past the force type */
    CHECK(iprobe(-1L) == 0 && iprobe(0xc0000000) == 0);
    EXPECT(0x40000001L, 0x40000001);
    CHECK(_crecv(0x80000000, &value, 4L) == -1);  /* a mask that selects nothing */
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
