/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the module that is linked with libunwind (stacks.cpp loads it). Every address in a
   stack is just behind a call, as a return address is; of an instruction that was interrupted, just
   behind its first byte. */
#ifndef EARL_DEBUG_SYMBOLS_UNWIND_H
#define EARL_DEBUG_SYMBOLS_UNWIND_H

#include <stddef.h>
#include <sys/types.h>

enum { earl_unwind_version = 1 };

/* Code that this process has mapped and the system's loader does not know. */
struct EarlUnwindImage {
  unsigned long base;
  unsigned long size;
  void const* frames; /* its .eh_frame_hdr */
};

struct EarlUnwindTable {
  int version;
  /* The stack of `process`, which the calling thread traces and has stopped, innermost first; gives
     how many addresses it wrote. `*interrupted`: the place in it of the instruction that the
     innermost signal handler interrupted; -1: no handler runs. Ends at `deadline`, ns of
     CLOCK_MONOTONIC. */
  size_t (*of_process)(pid_t process, unsigned long* addresses, size_t room, long* interrupted,
                       long long deadline);
  /* The stack of this process from `context` on, which a signal handler got or getcontext() made.
   */
  size_t (*here)(void const* context, struct EarlUnwindImage const* images, size_t count,
                 unsigned long* addresses, size_t room);
};

#endif
