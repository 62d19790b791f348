/* SPDX-License-Identifier: BSD-3-Clause */
/* libunwind is two libraries with the same names: for this process, and for others. A file can use
 * one. */
#ifndef EARL_DEBUG_SYMBOLS_UNWIND_PARTS_H
#define EARL_DEBUG_SYMBOLS_UNWIND_PARTS_H

#include "debug/symbols/unwind.h"

size_t earl_unwind_process(pid_t process, unsigned long* addresses, size_t room, long* interrupted,
                           long long deadline);

#endif
