/* A variable of another file. */
int elsewhere;

void count_elsewhere(n)
int n;
{
  elsewhere += n;
}
/* SPDX-License-Identifier: BSD-3-Clause */
