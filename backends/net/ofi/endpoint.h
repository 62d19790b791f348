/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of the module: an endpoint, and the slots of transfers under way. */
#ifndef EARL_BACKENDS_MYRINET_OFI_ENDPOINT_H
#define EARL_BACKENDS_MYRINET_OFI_ENDPOINT_H

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include "backends/net/ofi/native.h"

enum { slots = 256, moves = 128, unused = -1 };

/* libfabric keeps a request's state in memory of its user; the slot follows from its place. */
struct slot {
  struct fi_context2 context;
  uint32_t peer;
  int next; /* the next free one */
};

/* A long message: the first half of them are receives, the others sends. */
struct move {
  struct fi_context2 context;
  struct fid_mr* registered;
  int next;
};

struct earl_ofi_endpoint {
  struct fi_info* info;
  struct fid_fabric* fabric;
  struct fid_domain* domain;
  struct fid_av* peers;
  struct fid_cq* queue;
  struct fid_ep* endpoint;
  struct fid_mr* registered;
  void* descriptor; /* of the memory, where the provider wants it registered */
  char* memory;     /* slots of frames to send, then of those to come */
  size_t largest;
  size_t most_injected; /* bytes of a frame that goes without a completion */
  int wait_fd;
  int free_slot;
  struct slot departures[slots];
  struct slot arrivals[slots];
  int free_receive;
  int free_send;
  struct move moves[2 * moves];
};

/* Part of earl_ofi_calls. */
size_t earl_ofi_longest(struct earl_ofi_endpoint const* ofi);
int earl_ofi_send_whole(struct earl_ofi_endpoint* ofi, uint64_t destination, struct iovec memory,
                        uint64_t tag, size_t* slot);
int earl_ofi_receive_whole(struct earl_ofi_endpoint* ofi, struct iovec memory, uint64_t tag,
                           size_t* slot);
void earl_ofi_take_back(struct earl_ofi_endpoint* ofi, size_t slot);

/* All are free. */
void earl_ofi_begin_moves(struct earl_ofi_endpoint* ofi);
/* Whether a completion is of one of them: then it is over, and the arrival says so. */
int earl_ofi_move_over(struct earl_ofi_endpoint* ofi, void const* context, char const* error_text,
                       struct earl_ofi_arrival* arrival);

#endif
