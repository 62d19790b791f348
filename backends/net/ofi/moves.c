/* SPDX-License-Identifier: BSD-3-Clause */
/* Long messages, from memory to memory: matched by exact tags alone, which all providers do alike.
 */
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>

#include "backends/net/ofi/endpoint.h"

static int* free_list(struct earl_ofi_endpoint* ofi, int slot) {
  return slot < moves ? &ofi->free_receive : &ofi->free_send;
}

static void free_move(struct earl_ofi_endpoint* ofi, int slot) {
  struct move* const move = &ofi->moves[slot];
  if (move->registered) fi_close(&move->registered->fid);
  move->registered = NULL;
  move->next = *free_list(ofi, slot);
  *free_list(ofi, slot) = slot;
}

void earl_ofi_begin_moves(struct earl_ofi_endpoint* ofi) {
  int i;
  ofi->free_receive = ofi->free_send = unused;
  for (i = 0; i < 2 * moves; ++i) free_move(ofi, i);
}

size_t earl_ofi_longest(struct earl_ofi_endpoint const* ofi) {
  return ofi->info->ep_attr->max_msg_size;
}

/* Where the provider wants it; the keys are its own. */
static int make_known(struct earl_ofi_endpoint* ofi, struct move* move, struct iovec memory,
                      uint64_t access) {
  if ((ofi->info->domain_attr->mr_mode & FI_MR_LOCAL) == 0) return 0;
  return fi_mr_reg(ofi->domain, memory.iov_base, memory.iov_len, access, 0, 0, 0, &move->registered,
                   NULL);
}

static int begin(struct earl_ofi_endpoint* ofi, int slot, uint64_t destination, struct iovec memory,
                 uint64_t tag) {
  struct move* const move = &ofi->moves[slot];
  int const sends = slot >= moves;
  void* descriptor;
  ssize_t result;
  *free_list(ofi, slot) = move->next;
  result = make_known(ofi, move, memory, sends ? FI_SEND : FI_RECV);
  descriptor = move->registered ? fi_mr_desc(move->registered) : NULL;
  if (result == 0)
    result = sends ? fi_tsend(ofi->endpoint, memory.iov_base, memory.iov_len, descriptor,
                              destination, tag, &move->context)
                   : fi_trecv(ofi->endpoint, memory.iov_base, memory.iov_len, descriptor,
                              FI_ADDR_UNSPEC, tag, 0, &move->context);
  if (result == 0) return 1;
  free_move(ofi, slot);
  return result == -FI_EAGAIN ? 0 : (int)result;
}

int earl_ofi_send_whole(struct earl_ofi_endpoint* ofi, uint64_t destination, struct iovec memory,
                        uint64_t tag, size_t* slot) {
  if (ofi->free_send == unused) return 0;
  *slot = (size_t)ofi->free_send;
  return begin(ofi, ofi->free_send, destination, memory, tag);
}

int earl_ofi_receive_whole(struct earl_ofi_endpoint* ofi, struct iovec memory, uint64_t tag,
                           size_t* slot) {
  if (ofi->free_receive == unused) return 0;
  *slot = (size_t)ofi->free_receive;
  return begin(ofi, ofi->free_receive, FI_ADDR_UNSPEC, memory, tag);
}

void earl_ofi_take_back(struct earl_ofi_endpoint* ofi, size_t slot) {
  fi_cancel(&ofi->endpoint->fid, &ofi->moves[slot].context);
}

int earl_ofi_move_over(struct earl_ofi_endpoint* ofi, void const* context, char const* error_text,
                       struct earl_ofi_arrival* arrival) {
  char const* const at = context;
  if (at < (char const*)ofi->moves || at >= (char const*)(ofi->moves + 2 * moves)) return 0;
  arrival->event = earl_ofi_moved;
  arrival->slot = (size_t)((struct move const*)context - ofi->moves);
  arrival->error_text = error_text;
  free_move(ofi, (int)arrival->slot);
  return 1;
}
