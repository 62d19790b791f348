#include "matrix_library.h"

namespace {
int file_static = 2;
}

extern "C" {
int matrix_global = 1;
int matrix_tentative;

int* matrix_static() { return &file_static; }
int* matrix_global_seen_inside() { return &matrix_global; }
int* matrix_common() { return &matrix_tentative; }

int* matrix_function_static() {
  static int value = 3;
  return &value;
}
}

int* matrix_class_inline_inside() { return &MatrixInline::value; }
int* matrix_inline_inside() { return &matrix_inline; }
// SPDX-License-Identifier: BSD-3-Clause
