/* NX's word: `long`, or 4 bytes where the program says EARL_NX_LONG32; this file and those beside it
 * are then free of that token, which such a program has made an `int` (long32.h). */
#ifndef EARL_NXWORD_H
#define EARL_NXWORD_H

#ifdef EARL_NX_LONG32
#include <nxlong32.h>
typedef __INT32_TYPE__ nx_long;
typedef __UINT32_TYPE__ nx_ulong;
#else
typedef long nx_long;
typedef unsigned long nx_ulong;
#endif

#endif
