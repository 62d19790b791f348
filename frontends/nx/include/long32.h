/* To be included before all else (-include long32.h -DEARL_NX_LONG32): from here on the program's
 * `long` is the machines' word of 4 bytes, and printf and scanf read %ld so. The system's headers must
 * be there before; `long long`, `long int`, `long double` and old declarations of functions that these
 * headers declare do not compile. `earlcc -long32` has none of these limits. */
#ifndef EARL_LONG32_H
#define EARL_LONG32_H

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <nxstdio32.h>

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define long int
#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif
