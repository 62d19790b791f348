/* Every kind of variable a program can have is the node's own, also while others change theirs. */
#include <errno.h>
#include <nx.h>
#include <string.h>

#include "../common/check.h"

extern int shared_by_files;
int *function_static(void);

int global = 7;
int zeroed;
static int file_static = 8;
static int *points_at_itself = &file_static;
char text[100] = "untouched";
static int big[100000];

static void write_all(int value) {
  global = zeroed = file_static = shared_by_files = value;
  *function_static() = value;
  big[99999] = value;
  sprintf(text, "node %d", value);
  errno = value;
}

int main(void) {
  int me = mynode(), round;
  char expected[100];
  CHECK(global == 7 && zeroed == 0 && file_static == 8 && shared_by_files == 9);
  CHECK(*function_static() == 10 && strcmp(text, "untouched") == 0 && big[99999] == 0);
  CHECK(points_at_itself == &file_static);
  for (round = 0; round < 20; ++round) {
    write_all(me + 100 * round);
    gsync();
    CHECK(global == me + 100 * round && zeroed == global && file_static == global);
    CHECK(shared_by_files == global && *function_static() == global && big[99999] == global);
    CHECK(*points_at_itself == global);
    sprintf(expected, "node %d", global);
    CHECK(strcmp(text, expected) == 0);
  }
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
