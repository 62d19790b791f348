/* The smallest node program: the cost of starting and ending a job. */
#include <cube.h>

int main(void) { return mynode() < numnodes() ? 0 : 1; }
/* SPDX-License-Identifier: BSD-3-Clause */
