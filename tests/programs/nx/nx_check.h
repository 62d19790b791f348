/* For NX programs that check their errors. */
#include <errno.h>

#include "../common/check.h"

/* A form with a leading underscore gives -1, and says why in errno. */
#define FAILS(call, number)              \
  do {                                   \
    errno = 0;                           \
    CHECK((call) == -1);                 \
    CHECK(errno == (number));            \
  } while (0)
/* SPDX-License-Identifier: BSD-3-Clause */
