/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the module that is linked with libdw (lines.cpp loads it). */
#ifndef EARL_DEBUG_SYMBOLS_LIBDW_H
#define EARL_DEBUG_SYMBOLS_LIBDW_H

#include <stddef.h>

enum { earl_libdw_version = 2, earl_libdw_most_name = 1024 };

/* The place of an address; an empty name or line 0: unknown. */
struct EarlLibdwPlace {
  char file[earl_libdw_most_name]; /* of the source, as the compiler was given it */
  int line;
  char function[earl_libdw_most_name];
};

struct EarlLibdwTable {
  int version;
  /* `address` is the file's own. Gives how many places it wrote: one, and before it one for each
     function that the compiler merged into the code there, innermost first. */
  size_t (*find)(char const* path, unsigned long address, struct EarlLibdwPlace* places,
                 size_t room);
};

#endif
