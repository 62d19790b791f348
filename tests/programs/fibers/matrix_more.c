/* The program's other file. */
int exe_elsewhere = 8;

int *exe_function_static(void) {
  static int value = 9;
  return &value;
}
/* SPDX-License-Identifier: BSD-3-Clause */
