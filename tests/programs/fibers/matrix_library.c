#include "matrix_library.h"

int matrix_global = 1;
static int file_static = 2;
int matrix_tentative;

int *matrix_static(void) { return &file_static; }
int *matrix_global_seen_inside(void) { return &matrix_global; }
int *matrix_common(void) { return &matrix_tentative; }

int *matrix_function_static(void) {
  static int value = 3;
  return &value;
}
/* SPDX-License-Identifier: BSD-3-Clause */
