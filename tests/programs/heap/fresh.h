/* Programs of the time read memory from malloc() before they write it. Counts the words in it that
   are not zero: in 400 small blocks, in 400 of up to a page, in 400 of up to ten. The blocks stay. */
#include <stdio.h>
#include <stdlib.h>

#define BLOCKS 400
#define MIXES 3
#define EXCHANGES 20
#define BYTES 64

static long found[2][MIXES];
static char message[BYTES];

static long dirty_words(unsigned long seed, size_t least, size_t span)
{
  long dirty = 0;
  int i;

  for (i = 0; i < BLOCKS; i++) {
    size_t words, w;
    unsigned long *block;

    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    words = (least + (seed >> 33) % span) / sizeof(long);
    block = malloc(words * sizeof(long));
    for (w = 0; w < words; w++) dirty += block[w] != 0;
  }
  return dirty;
}

static void look(int when)
{
  found[when][0] = dirty_words(1, 16, 240);
  found[when][1] = dirty_words(2, 16, 4000);
  found[when][2] = dirty_words(3, 1000, 40000);
}

static void tell(void)
{
  printf("HEAP %ld %ld %ld then %ld %ld %ld\n", found[0][0], found[0][1], found[0][2], found[1][0],
         found[1][1], found[1][2]);
}
/* SPDX-License-Identifier: BSD-3-Clause */
