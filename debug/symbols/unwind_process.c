/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of the module that looks into other processes. */
#include <libunwind-ptrace.h>
#include <time.h>

#include "debug/symbols/unwind_parts.h"

/* A damaged stack may be walked for long: each step reads memory. */
static long long read_until;

static int access_memory(unw_addr_space_t space, unw_word_t address, unw_word_t* value, int write,
                         void* state) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (write != 0 || now.tv_sec * 1000000000LL + now.tv_nsec > read_until) return -UNW_EINVAL;
  return _UPT_access_mem(space, address, value, write, state);
}

/* libunwind calls the interrupted frame the signal's frame. */
static size_t walk_up(unw_cursor_t* cursor, unsigned long* addresses, size_t room,
                      long* interrupted) {
  size_t count = 0;
  do {
    unw_word_t address = 0;
    if (count == room || unw_get_reg(cursor, UNW_REG_IP, &address) != 0) break;
    int const signalled = unw_is_signal_frame(cursor) > 0;
    if (signalled != 0 && *interrupted < 0) *interrupted = (long)count;
    addresses[count] = address + (signalled != 0 || count == 0 ? 1 : 0);
    ++count;
  } while (unw_step(cursor) > 0);
  return count;
}

size_t earl_unwind_process(pid_t process, unsigned long* addresses, size_t room, long* interrupted,
                           long long deadline) {
  unw_accessors_t accessors = _UPT_accessors;
  accessors.access_mem = access_memory;
  read_until = deadline;
  *interrupted = -1;
  unw_addr_space_t const space = unw_create_addr_space(&accessors, 0);
  void* const state = space != NULL ? _UPT_create(process) : NULL;
  unw_cursor_t cursor;
  size_t count = 0;
  if (state != NULL && unw_init_remote(&cursor, space, state) == 0)
    count = walk_up(&cursor, addresses, room, interrupted);
  if (state != NULL) _UPT_destroy(state);
  if (space != NULL) unw_destroy_addr_space(space);
  return count;
}
