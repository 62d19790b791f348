/* SPDX-License-Identifier: BSD-3-Clause */
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>

#include "backends/net/ofi/endpoint.h"

/* In order of preference. Those that are left out have holes (shm, sockets, udp), or are another
 * back end's business: shm is Earl's own. */
static char const* const preferred[] = {"cxi",           "efa", "opx",         "psm3", "psm2",
                                        "verbs;ofi_rxm", "net", "tcp;ofi_rxm", NULL};

static char* departure(struct earl_ofi_endpoint* ofi, int slot) {
  return ofi->memory + (size_t)slot * ofi->largest;
}

static char* arrival_of(struct earl_ofi_endpoint* ofi, size_t slot) {
  return ofi->memory + (slots + slot) * ofi->largest;
}

static struct fi_info* hints_for(char const* provider) {
  struct fi_info* const hints = fi_allocinfo();
  if (!hints) return NULL;
  hints->caps = FI_MSG | FI_TAGGED;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->tx_attr->msg_order = FI_ORDER_SAS;
  hints->rx_attr->msg_order = FI_ORDER_SAS;
  hints->domain_attr->threading = FI_THREAD_DOMAIN;
  hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
  hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
  hints->fabric_attr->prov_name = strdup(provider);
  return hints;
}

static int ask_for(char const* provider, char const* host, struct fi_info** info) {
  struct fi_info* const hints = hints_for(provider);
  int result;
  if (!hints) return -FI_ENOMEM;
  result = fi_getinfo(FI_VERSION(1, 17), host, NULL, host ? FI_SOURCE : 0, hints, info);
  /* Hardware may have no address of that kind. */
  if (result != 0 && host) result = fi_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, info);
  fi_freeinfo(hints);
  return result;
}

static int choose(char const* provider, char const* host, struct fi_info** info) {
  int result = -FI_ENODATA;
  size_t i;
  if (provider) return ask_for(provider, host, info);
  for (i = 0; preferred[i] && result != 0; ++i) result = ask_for(preferred[i], host, info);
  return result;
}

/* A queue that can be waited on, where the provider has such. */
static int open_queue(struct earl_ofi_endpoint* ofi) {
  struct fi_cq_attr attributes;
  int result;
  memset(&attributes, 0, sizeof attributes);
  attributes.format = FI_CQ_FORMAT_MSG;
  attributes.size = 2 * slots + 2 * moves;
  attributes.wait_obj = FI_WAIT_FD;
  ofi->wait_fd = unused;
  result = fi_cq_open(ofi->domain, &attributes, &ofi->queue, NULL);
  if (result == 0 && fi_control(&ofi->queue->fid, FI_GETWAIT, &ofi->wait_fd) != 0)
    ofi->wait_fd = unused;
  if (result == 0) return 0;
  attributes.wait_obj = FI_WAIT_NONE;
  return fi_cq_open(ofi->domain, &attributes, &ofi->queue, NULL);
}

static int open_peers(struct earl_ofi_endpoint* ofi) {
  struct fi_av_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.type = FI_AV_TABLE;
  return fi_av_open(ofi->domain, &attributes, &ofi->peers, NULL);
}

static int open_endpoint(struct earl_ofi_endpoint* ofi) {
  int result = fi_endpoint(ofi->domain, ofi->info, &ofi->endpoint, NULL);
  if (result == 0) result = fi_ep_bind(ofi->endpoint, &ofi->peers->fid, 0);
  if (result == 0) result = fi_ep_bind(ofi->endpoint, &ofi->queue->fid, FI_TRANSMIT | FI_RECV);
  if (result == 0) result = fi_enable(ofi->endpoint);
  return result;
}

static int open_memory(struct earl_ofi_endpoint* ofi) {
  size_t const size = 2 * slots * ofi->largest;
  int result;
  ofi->memory = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
  if (!ofi->memory) return -FI_ENOMEM;
  if ((ofi->info->domain_attr->mr_mode & FI_MR_LOCAL) == 0) return 0;
  result =
      fi_mr_reg(ofi->domain, ofi->memory, size, FI_SEND | FI_RECV, 0, 0, 0, &ofi->registered, NULL);
  if (result == 0) ofi->descriptor = fi_mr_desc(ofi->registered);
  return result;
}

static int release(struct earl_ofi_endpoint* ofi, size_t slot) {
  return (int)fi_recv(ofi->endpoint, arrival_of(ofi, slot), ofi->largest, ofi->descriptor,
                      FI_ADDR_UNSPEC, &ofi->arrivals[slot].context);
}

static int post_all(struct earl_ofi_endpoint* ofi) {
  int result = 0;
  size_t i;
  for (i = 0; i < slots && result == 0; ++i) result = release(ofi, i);
  for (i = 0; i < slots; ++i) ofi->departures[i].next = (int)i - 1;
  ofi->free_slot = slots - 1;
  earl_ofi_begin_moves(ofi);
  return result;
}

static void close_one(struct fid* fid) {
  if (fid) fi_close(fid);
}

static void close_all(struct earl_ofi_endpoint* ofi) {
  close_one(ofi->endpoint ? &ofi->endpoint->fid : NULL);
  close_one(ofi->registered ? &ofi->registered->fid : NULL);
  close_one(ofi->queue ? &ofi->queue->fid : NULL);
  close_one(ofi->peers ? &ofi->peers->fid : NULL);
  close_one(ofi->domain ? &ofi->domain->fid : NULL);
  close_one(ofi->fabric ? &ofi->fabric->fid : NULL);
  fi_freeinfo(ofi->info);
  free(ofi->memory);
  free(ofi);
}

/* A connection over TCP that breaks loses injected data without an error. */
static size_t most_injected(struct fi_info const* info) {
  char const* const name = info->fabric_attr->prov_name;
  if (strcmp(name, "net") == 0 || strcmp(name, "tcp;ofi_rxm") == 0) return 0;
  return info->tx_attr->inject_size;
}

static int open_all(struct earl_ofi_endpoint* ofi, char const* provider, char const* host) {
  int result = choose(provider, host, &ofi->info);
  if (result == 0) result = fi_fabric(ofi->info->fabric_attr, &ofi->fabric, NULL);
  if (result == 0) result = fi_domain(ofi->fabric, ofi->info, &ofi->domain, NULL);
  if (result == 0) result = open_peers(ofi);
  if (result == 0) result = open_queue(ofi);
  if (result == 0) result = open_endpoint(ofi);
  if (result == 0) result = open_memory(ofi);
  if (result == 0) result = post_all(ofi);
  if (result == 0) ofi->most_injected = most_injected(ofi->info);
  return result;
}

static int open_link(char const* provider, char const* host, size_t largest,
                     struct earl_ofi_endpoint** opened) {
  struct earl_ofi_endpoint* const ofi = calloc(1, sizeof *ofi);
  int result;
  *opened = NULL;
  if (!ofi) return -FI_ENOMEM;
  ofi->largest = largest;
  result = open_all(ofi, provider, host);
  if (result != 0)
    close_all(ofi);
  else
    *opened = ofi;
  return result;
}

static char const* provider_of(struct earl_ofi_endpoint const* ofi) {
  return ofi->info->fabric_attr->prov_name;
}

static int address_of(struct earl_ofi_endpoint* ofi, void* room) {
  size_t size = earl_ofi_longest_address;
  int const result = fi_getname(&ofi->endpoint->fid, room, &size);
  return result == 0 ? (int)size : result;
}

static int insert(struct earl_ofi_endpoint* ofi, void const* address, uint64_t* destination) {
  fi_addr_t added = FI_ADDR_UNSPEC;
  int const count = fi_av_insert(ofi->peers, address, 1, &added, 0, NULL);
  *destination = added;
  return count == 1 ? 0 : count < 0 ? count : -FI_EINVAL;
}

static void forget(struct earl_ofi_endpoint* ofi, uint64_t destination) {
  fi_addr_t gone = destination;
  fi_av_remove(ofi->peers, &gone, 1, 0);
}

static size_t gather(char* room, struct iovec const* pieces, int count) {
  size_t size = 0;
  int i;
  for (i = 0; i < count; ++i) {
    if (pieces[i].iov_len != 0) memcpy(room + size, pieces[i].iov_base, pieces[i].iov_len);
    size += pieces[i].iov_len;
  }
  return size;
}

static void free_departure(struct earl_ofi_endpoint* ofi, int slot) {
  ofi->departures[slot].next = ofi->free_slot;
  ofi->free_slot = slot;
}

static int send_frame(struct earl_ofi_endpoint* ofi, uint64_t destination, uint32_t peer,
                      struct iovec const* pieces, int count) {
  int const slot = ofi->free_slot;
  size_t size;
  ssize_t result;
  if (slot == unused) return 0;
  ofi->free_slot = ofi->departures[slot].next;
  ofi->departures[slot].peer = peer;
  size = gather(departure(ofi, slot), pieces, count);
  if (size <= ofi->most_injected) {
    result = fi_inject(ofi->endpoint, departure(ofi, slot), size, destination);
    free_departure(ofi, slot);
  } else {
    result = fi_send(ofi->endpoint, departure(ofi, slot), size, ofi->descriptor, destination,
                     &ofi->departures[slot].context);
    if (result != 0) free_departure(ofi, slot);
  }
  if (result == -FI_EAGAIN) return 0;
  return result == 0 ? 1 : (int)result;
}

static int is_departure(struct earl_ofi_endpoint const* ofi, void const* context) {
  char const* const at = context;
  return at >= (char const*)ofi->departures && at < (char const*)(ofi->departures + slots);
}

static int departed(struct earl_ofi_endpoint* ofi, void const* context) {
  int const slot = (int)((struct slot const*)context - ofi->departures);
  free_departure(ofi, slot);
  return slot;
}

static int failed(struct earl_ofi_endpoint* ofi, struct earl_ofi_arrival* arrival) {
  struct fi_cq_err_entry error;
  ssize_t result;
  memset(&error, 0, sizeof error);
  result = fi_cq_readerr(ofi->queue, &error, 0);
  if (result < 0) return result == -FI_EAGAIN ? 0 : (int)result;
  if (earl_ofi_move_over(ofi, error.op_context, fi_strerror((int)error.err), arrival)) return 0;
  if (!is_departure(ofi, error.op_context)) return -(int)error.err;
  arrival->event = earl_ofi_lost;
  arrival->peer = ofi->departures[departed(ofi, error.op_context)].peer;
  arrival->error_text = fi_strerror((int)error.err);
  return 0;
}

static int next(struct earl_ofi_endpoint* ofi, struct earl_ofi_arrival* arrival) {
  struct fi_cq_msg_entry entry;
  ssize_t result;
  arrival->event = earl_ofi_nothing;
  while ((result = fi_cq_read(ofi->queue, &entry, 1)) == 1) {
    if (is_departure(ofi, entry.op_context)) {
      departed(ofi, entry.op_context);
      continue;
    }
    if (earl_ofi_move_over(ofi, entry.op_context, NULL, arrival)) return 0;
    arrival->event = earl_ofi_frame;
    arrival->slot = (size_t)((struct slot const*)entry.op_context - ofi->arrivals);
    arrival->bytes = arrival_of(ofi, arrival->slot);
    arrival->size = entry.len;
    return 0;
  }
  if (result == -FI_EAVAIL) return failed(ofi, arrival);
  return result == -FI_EAGAIN || result == 0 ? 0 : (int)result;
}

static int wait_fd(struct earl_ofi_endpoint const* ofi) { return ofi->wait_fd; }

static int may_sleep(struct earl_ofi_endpoint* ofi) {
  struct fid* const queue = &ofi->queue->fid;
  struct fid* list[1];
  list[0] = queue;
  return fi_trywait(ofi->fabric, list, 1) == 0;
}

static char const* error_text(int error) { return fi_strerror(error < 0 ? -error : error); }

static uint32_t native_version(void) { return fi_version(); }

struct earl_ofi_calls const earl_ofi = {
    earl_ofi_version,
    native_version,
    open_link,
    provider_of,
    address_of,
    insert,
    forget,
    send_frame,
    next,
    release,
    earl_ofi_longest,
    earl_ofi_send_whole,
    earl_ofi_receive_whole,
    earl_ofi_take_back,
    wait_fd,
    may_sleep,
    error_text,
    close_all,
};
