/* SPDX-License-Identifier: BSD-3-Clause */
/* libfabric as Earl's link sees it: the one symbol of the module earl-ofi.so, which is linked with
 * it. Plain C, no Earl in it: jobs on other links do not need it, and the link can be tested
 * without it. */
#ifndef EARL_BACKENDS_MYRINET_OFI_NATIVE_H
#define EARL_BACKENDS_MYRINET_OFI_NATIVE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { earl_ofi_version = 5, earl_ofi_longest_address = 256 };

struct earl_ofi_endpoint; /* an endpoint of this process, and all that belongs to it */

enum earl_ofi_event {
  earl_ofi_nothing,
  earl_ofi_frame, /* bytes have come; they stay until release() of the slot */
  earl_ofi_lost,  /* a frame to `peer` did not get there */
  earl_ofi_moved  /* the transfer of `slot` has ended; error_text: it failed */
};

struct earl_ofi_arrival {
  enum earl_ofi_event event;
  void const* bytes;
  size_t size;
  size_t slot;
  uint32_t peer;          /* the peer given to send() */
  char const* error_text; /* why it was lost, else null; valid until the next call */
};

/* Results below 0 are libfabric's error numbers, for error_text(). One thread. */
struct earl_ofi_calls {
  int version;
  /* Version of libfabric itself: the major number times 65536, and the minor one. */
  uint32_t (*native_version)(void);
  /* `provider` as fi_info(1) names it; null: the first that is here of those for real hardware and
   * then of those over TCP. `host`: the address by which others reach this host, for providers that
   * know such; may be null. Frames have at most `largest` bytes. 0: `*result` is open. */
  int (*open)(char const* provider, char const* host, size_t largest,
              struct earl_ofi_endpoint** result);
  char const* (*provider)(struct earl_ofi_endpoint const* ofi);
  /* Where peers reach this endpoint; gives the bytes written, at most earl_ofi_longest_address. */
  int (*address)(struct earl_ofi_endpoint* ofi, void* room);
  /* Makes a peer known; it is then `*destination` to send(). */
  int (*insert)(struct earl_ofi_endpoint* ofi, void const* address, uint64_t* destination);
  /* Nothing goes there any more. */
  void (*remove)(struct earl_ofi_endpoint* ofi, uint64_t destination);
  /* Takes a copy of the frame: 1; no room now: 0. Never waits. */
  int (*send)(struct earl_ofi_endpoint* ofi, uint64_t destination, uint32_t peer,
              struct iovec const* pieces, int count);
  /* The next event: frames of one peer in order. Makes progress. Never waits. */
  int (*next)(struct earl_ofi_endpoint* ofi, struct earl_ofi_arrival* arrival);
  /* Lets the next frame take its place. */
  int (*release)(struct earl_ofi_endpoint* ofi, size_t slot);
  /* The longest message of the next two; 0: they are of no use here. */
  size_t (*longest)(struct earl_ofi_endpoint const* ofi);
  /* Straight from memory to memory, under a tag that no other message to that endpoint has. 1: it
   * has begun, and next() will report `*slot`; 0: no room now. The receive must have begun when
   * the send does, and be as long. */
  int (*send_whole)(struct earl_ofi_endpoint* ofi, uint64_t destination, struct iovec memory,
                    uint64_t tag, size_t* slot);
  int (*receive_whole)(struct earl_ofi_endpoint* ofi, struct iovec memory, uint64_t tag,
                       size_t* slot);
  /* Its message will not be sent: next() will report it as failed. */
  void (*take_back)(struct earl_ofi_endpoint* ofi, size_t slot);
  /* Readable when next() may find something, once may_sleep() has returned 1; -1: there is none. */
  int (*wait_fd)(struct earl_ofi_endpoint const* ofi);
  int (*may_sleep)(struct earl_ofi_endpoint* ofi);
  char const* (*error_text)(int error);
  void (*close)(struct earl_ofi_endpoint* ofi);
};

extern struct earl_ofi_calls const earl_ofi;

#ifdef __cplusplus
}
#endif

#endif
