/* The heap is the node's own: others' allocations change neither its contents nor its addresses. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <malloc.h>
#include <nx.h>
#include <string.h>
#include <unistd.h>

#include "../common/check.h"

#define MANY 200
#define LARGE (300 * 1024)

static int all_are(unsigned char const *block, size_t size, int value) {
  size_t i;
  for (i = 0; i < size; ++i)
    if (block[i] != value) return 0;
  return 1;
}

/* Blocks of many sizes, all at once, while others do the same. */
static void sizes(int me) {
  static unsigned char *blocks[MANY];
  size_t i, size;
  for (i = 0; i < MANY; ++i) {
    size = i * i + 1;
    blocks[i] = i % 3 == 0 ? calloc(size, 1) : i % 3 == 1 ? malloc(size) : realloc(NULL, size);
    CHECK(blocks[i] && (unsigned long)blocks[i] % 16 == 0 && malloc_usable_size(blocks[i]) >= size);
    CHECK(i % 3 != 0 || all_are(blocks[i], size, 0));
    memset(blocks[i], me, size);
    if (i % 50 == 0) gsync();
  }
  for (i = 0; i < MANY; ++i) {
    size = i * i + 1;
    CHECK(all_are(blocks[i], size, me & 255));
    blocks[i] = reallocarray(blocks[i], 3, size);
    CHECK(blocks[i] && all_are(blocks[i], size, me & 255));
    free(blocks[i]);
  }
  free(NULL);
}

/* By pointers: a compiler that knows these functions takes for granted that they give memory. */
static void too_much(void) {
  void *(*volatile zeroed)(size_t, size_t) = calloc, *(*volatile any)(size_t) = malloc;
  errno = 0;
  CHECK(zeroed((size_t)-1, 8) == NULL && errno == ENOMEM);
  CHECK(any((size_t)-100) == NULL && reallocarray(NULL, (size_t)-1, 8) == NULL);
}

static void alignments(int me) {
  size_t alignment;
  for (alignment = 8; alignment <= 1 << 16; alignment *= 2) {
    void *one = memalign(alignment, 100), *two = aligned_alloc(alignment, alignment), *three = NULL;
    CHECK(posix_memalign(&three, alignment, 10) == 0);
    CHECK((unsigned long)one % alignment == 0 && (unsigned long)two % alignment == 0);
    CHECK((unsigned long)three % alignment == 0);
    memset(one, me, 100);
    one = realloc(one, 5000);
    CHECK(all_are(one, 100, me & 255));
    free(one);
    free(two);
    free(three);
  }
  CHECK(posix_memalign((void **)&alignment, 24, 10) == EINVAL);
  CHECK((unsigned long)valloc(10) % 4096 == 0 && malloc_usable_size(pvalloc(10)) >= 4096);
}

/* Large ones that have been released come back. */
static void large(int me) {
  unsigned char *block = calloc(LARGE, 1);
  int i;
  for (i = 0; i < 3; ++i) {
    CHECK(all_are(block, LARGE, 0));
    memset(block, me + 1, LARGE);
    gsync();
    free(block);
    block = calloc(1, LARGE);
  }
  free(block);
}

/* The C library makes and enlarges some itself. */
static void made_by_others(int me) {
  /* Optimized, glibc's header makes __getdelim of getline. */
  ssize_t (*volatile read_line)(char **, size_t *, FILE *) = getline;
  char name[] = "/tmp/earl-heap.XXXXXX", *line = NULL, *text, *whole;
  size_t size = 0;
  FILE *file = fdopen(mkstemp(name), "w+");
  CHECK(file && unlink(name) == 0);
  setvbuf(file, malloc(1000), _IOFBF, 1000);
  fprintf(file, "short\n%0500d\nend;more", me);
  rewind(file);
  CHECK(read_line(&line, &size, file) == 6 && strcmp(line, "short\n") == 0);
  gsync();
  CHECK(read_line(&line, &size, file) == 501 && atoi(line) == me && size > 501);
  CHECK(getdelim(&line, &size, ';', file) == 4 && strcmp(line, "end;") == 0);
  CHECK(read_line(&line, &size, file) == 4 && read_line(&line, &size, file) == -1);
  setbuf(file, NULL);
  setbuffer(file, line, size);
  free(line);
  text = strdup("of a rank");
  whole = strndup(text, 4);
  CHECK(strcmp(text, "of a rank") == 0 && strcmp(whole, "of a") == 0);
  free(text);
  free(whole);
  CHECK(asprintf(&text, "node %d", me) > 0);
  text = realloc(text, 1000);
  CHECK(atoi(text + 5) == me);
  free(text);
  whole = getcwd(NULL, 0);
  free(whole);
  /* Left open: its buffer is not the node's. */
}

int main(void) {
  int me = mynode();
  unsigned char *own = malloc(100);
  memset(own, me, 100);
  sizes(me);
  too_much();
  alignments(me);
  large(me);
  made_by_others(me);
  gsync();
  CHECK(all_are(own, 100, me & 255));
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
