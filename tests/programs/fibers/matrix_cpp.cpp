// The same program as C++.
#include "matrix.c"
// SPDX-License-Identifier: BSD-3-Clause
