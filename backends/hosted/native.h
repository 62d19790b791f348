/* SPDX-License-Identifier: BSD-3-Clause */
/* A native library as Earl's port sees it: numbered processes, and messages with tags that are
 * started and asked after. Plain C, no Earl in it: handles differ from library to library, and the
 * port can be tested without any. */
#ifndef EARL_BACKENDS_LIBRARY_NATIVE_H
#define EARL_BACKENDS_LIBRARY_NATIVE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { earl_library_version = 2, earl_library_any = -1 };

/* MutableBytes for a request handle of any library. */
struct earl_library_request {
  uint64_t handle;
};

/* Results other than 0 are the library's error codes, for error_text(), unless stated otherwise.
 * One thread, never from a signal handler. Processes are numbered from 0. */
struct earl_library_calls {
  int version;
  /* The library's family, as people name it: MPI. */
  char const* title;
  /* May wait until every process calls it. Gives this one's number. */
  int (*enter)(int* me, int* processes);
  /* May wait for all others. All messages to them must have been received. */
  int (*leave)(void);
  /* Starts a message of at most INT_MAX bytes, which stay as they are until test() says 1. */
  int (*send)(void const* bytes, size_t size, int to, int tag,
              struct earl_library_request* request);
  /* Starts a receive; `from` may be earl_library_any. */
  int (*receive)(void* room, size_t size, int from, int tag, struct earl_library_request* request);
  /* 1: complete, the request is no more; 0: not yet; -1: failed, `error` is set. `size`, if not
   * null, gets the bytes received. Moves all messages of the process along. */
  int (*test)(struct earl_library_request* request, size_t* size, int* error);
  /* Takes a receive back that nothing has matched yet; waits until it is complete in any case. */
  int (*cancel)(struct earl_library_request* request);
  /* The library's sentence for an error; valid until the next call. */
  char const* (*error_text)(int error);
  /* Once, when the process ends: calls it while the library still works, where that is not until
   * the very end. */
  void (*at_end)(void (*call)(void));
};

extern struct earl_library_calls const earl_library;

#ifdef __cplusplus
}
#endif

#endif
