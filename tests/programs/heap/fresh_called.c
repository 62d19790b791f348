/* fresh.h for programs in Fortran. */
#include "fresh.h"

void look_(int *when) { look(*when); }

void tell_(void) { tell(); }
/* SPDX-License-Identifier: BSD-3-Clause */
