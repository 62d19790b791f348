/* A malloc() that marks its blocks; free() and realloc() end a program that passes others to them. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MARK 0x6d61726b65646d79UL

static char *room, *end;

static unsigned long *head_of(void *block)
{
  unsigned long *head = (unsigned long *)block - 2;

  if ((char *)block < room || (char *)block >= end || head[0] != MARK) abort();
  return head;
}

void *malloc(size_t size)
{
  static char *next;
  char *block;

  if (!room) {
    next = room = mmap(0, 1UL << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    end = room + (1UL << 30);
  }
  block = next + 16;
  next += 16 + (size + 15) / 16 * 16;
  if (next > end) return 0;
  ((unsigned long *)block)[-2] = MARK;
  ((unsigned long *)block)[-1] = size;
  return block;
}

void free(void *block)
{
  if (block) head_of(block)[0] = 0;
}

void *calloc(size_t count, size_t size) { return malloc(count * size); }

void *realloc(void *block, size_t size)
{
  void *other = malloc(size);

  if (!block) return other;
  memcpy(other, block, head_of(block)[1] < size ? head_of(block)[1] : size);
  free(block);
  return other;
}

void *memalign(size_t alignment, size_t size)
{
  char *block = malloc(size + alignment);
  unsigned long past = (unsigned long)block % alignment;

  if (past) {
    block += alignment - past;
    ((unsigned long *)block)[-2] = MARK;
    ((unsigned long *)block)[-1] = size;
  }
  return block;
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size)
{
  *block = memalign(alignment, size);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
