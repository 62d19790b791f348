/* A library that is no tool. */
int earl_test_nothing(void);
int earl_test_nothing(void) { return 0; }
/* SPDX-License-Identifier: BSD-3-Clause */
