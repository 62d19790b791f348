/* Each variable of a program and of a library that is linked with it is the node's own. As C and
 * as C++; in C++ also inline variables, of which program and library share one. */
#include "matrix_library.h"

#include <nx.h>
#include <stdio.h>

#include "../common/check.h"

#ifdef __cplusplus
int *matrix_class_inline_inside();
int *matrix_inline_inside();
#endif

int exe_global = 6;
static int exe_static = 7;
int exe_common;
#ifdef __cplusplus
extern "C" {
#endif
extern int exe_elsewhere;
int *exe_function_static(void);
#ifdef __cplusplus
}
#endif

static int *places[16], firsts[16], count;

static void add(int *place, int first) {
  places[count] = place;
  firsts[count++] = first;
}

static void add_all(void) {
  add(&exe_global, 6);
  add(&exe_static, 7);
  add(&exe_common, 0);
  add(&exe_elsewhere, 8);
  add(exe_function_static(), 9);
  add(&matrix_global, 1);
  add(matrix_static(), 2);
  add(matrix_function_static(), 3);
  add(matrix_common(), 0);
#ifdef __cplusplus
  add(&MatrixInline::value, 4);
  add(&matrix_inline, 5);
  CHECK(matrix_class_inline_inside() == &MatrixInline::value);
  CHECK(matrix_inline_inside() == &matrix_inline);
#endif
  CHECK(matrix_global_seen_inside() == &matrix_global);
}

int main(void) {
  int me = (int)mynode(), round, i;
  add_all();
  for (i = 0; i < count; ++i) CHECK(*places[i] == firsts[i]);
  for (round = 0; round < 10; ++round) {
    for (i = 0; i < count; ++i) *places[i] = 1000 * round + 100 * i + me;
    gsync();
    for (i = 0; i < count; ++i) CHECK(*places[i] == 1000 * round + 100 * i + me);
    gsync();
  }
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
