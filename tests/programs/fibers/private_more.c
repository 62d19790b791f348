/* The other file of private.c. */
int shared_by_files = 9;

int *function_static(void) {
  static int value = 10;
  return &value;
}
/* SPDX-License-Identifier: BSD-3-Clause */
