/* A library above NX in which each call has two names, and which never uses the first. */
long mynode(void);

int Pstep(int x) { return x + 1 + 0 * (int)mynode(); }
int Pjump(int x) { return Pstep(x) + 9; }
int Pleap(int x) { return Pjump(x) + 90; }

__attribute__((weak, alias("Pstep"))) int step(int x);
__attribute__((weak, alias("Pjump"))) int jump(int x);
__attribute__((weak, alias("Pleap"))) int leap(int x);
/* SPDX-License-Identifier: BSD-3-Clause */
