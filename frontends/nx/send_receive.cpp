// SPDX-License-Identifier: BSD-3-Clause
/// Manual: sending and receiving. csend crecv isend irecv csendrecv isendrecv, the x-forms, gsendx.
#include "frontends/nx/call.hpp"
#include "frontends/nx/include/nx.h"
#include "frontends/nx/receiving.hpp"

namespace earl::nx {

namespace {

void send(State& me, Mode mode, std::int32_t type, void const* buf, Length count, std::int32_t node,
          std::int32_t pid) {
  Envelope to = me.envelope(type, node, pid);
  to.mode = mode;
  const Bytes message = bytes(buf, count);
  if (node == all_nodes) return me.process().send_to_all(me.broadcast_ranks(pid), to, message);
  me.process().send(to, message);
}

void csend(State& me, std::int32_t type, void const* buf, Length count, std::int32_t node,
           std::int32_t pid) {
  send(me, Mode::buffered_by_default, type, buf, count, node, pid);
}

void crecv(State& me, std::int32_t typesel, void* buf, Length count) {
  const MutableBytes into = mutable_bytes(buf, count);
  accept(me, me.receive(typesel, into), into.size());
}

/// The message is on its way, or copied, when this returns; the id is there to be waited for.
std::int32_t isend(State& me, std::int32_t type, void const* buf, Length count, std::int32_t node,
                   std::int32_t pid) {
  me.ids().check_room();
  send(me, Mode::buffered, type, buf, count, node, pid);
  return me.ids().open({});
}

std::int32_t irecv(State& me, std::int32_t typesel, void* buf, Length count) {
  return post(me, me.spec(typesel), mutable_bytes(buf, count));
}

/// Both halves of a remote call. The receive is posted first, so that the reply finds it.
std::int32_t isendrecv(State& me, std::int32_t type, void const* sbuf, Length scount,
                       std::int32_t node, std::int32_t pid, std::int32_t typesel, void* rbuf,
                       Length rcount) {
  auto const id = irecv(me, typesel, rbuf, rcount);
  try {
    send(me, Mode::buffered, type, sbuf, scount, node, pid);
  } catch (Error const&) {
    me.process().cancel(me.ids().find(id).request);
    me.ignore(me.ids().close(id).request);
    throw;
  }
  return id;
}

std::int32_t csendrecv(State& me, std::int32_t type, void const* sbuf, Length scount,
                       std::int32_t node, std::int32_t pid, std::int32_t typesel, void* rbuf,
                       Length rcount) {
  auto const id = isendrecv(me, type, sbuf, scount, node, pid, typesel, rbuf, rcount);
  const OpenMessage reply = me.ids().close(id);
  const Completion got = me.process().wait(reply.request);
  accept(me, got, reply.room);
  return static_cast<std::int32_t>(got.envelope.length);
}

template <class Info>
void crecvx(State& me, std::int32_t typesel, void* buf, Length count, std::int32_t nodesel,
            std::int32_t ptypesel, Info* info) {
  const MutableBytes into = mutable_bytes(buf, count);
  const MatchSpec spec = me.spec(typesel, nodesel, ptypesel);
  accept(me, me.process().receive(spec, into), into.size(), InfoArray(info));
}

template <class Info>
std::int32_t irecvx(State& me, std::int32_t typesel, void* buf, Length count, std::int32_t nodesel,
                    std::int32_t ptypesel, Info* info) {
  return post(me, me.spec(typesel, nodesel, ptypesel), mutable_bytes(buf, count), InfoArray(info));
}

template <class Node>
void gsendx(State& me, std::int32_t type, void const* buf, Length count, Node const* nodes,
            Length nnodes) {
  if (nnodes < 0)
    throw NxError(EQLEN, "the list has {} nodes: pass 0 or more", std::int32_t{nnodes});
  std::vector<Rank> ranks;
  for (std::int32_t i = 0; i < nnodes; ++i) ranks.push_back(me.rank_of(narrow(nodes[i]), me.pid()));
  Envelope to = me.envelope(type, all_nodes, me.pid());
  to.mode = Mode::buffered_by_default;
  me.process().send_to_all(ranks, to, bytes(buf, count));
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::Integer;
using nx::Plain;
using nx::Underscore;

EARL_NX_ENTRY void csend(long type, void* buf, long count, long node, long pid) {
  nx::call<Plain>("csend", nx::csend, type, buf, count, node, pid);
}
EARL_NX_ENTRY long _csend(long type, void* buf, long count, long node, long pid) {
  return nx::call<Underscore>("_csend", nx::csend, type, buf, count, node, pid);
}
EARL_NX_ENTRY void csend_(Integer type, void* buf, Integer count, Integer node, Integer pid) {
  nx::call<Plain>("csend", nx::csend, type, buf, count, node, pid);
}

EARL_NX_ENTRY void crecv(long typesel, void* buf, long count) {
  nx::call<Plain>("crecv", nx::crecv, typesel, buf, count);
}
EARL_NX_ENTRY long _crecv(long typesel, void* buf, long count) {
  return nx::call<Underscore>("_crecv", nx::crecv, typesel, buf, count);
}
EARL_NX_ENTRY void crecv_(Integer typesel, void* buf, Integer count) {
  nx::call<Plain>("crecv", nx::crecv, typesel, buf, count);
}

EARL_NX_ENTRY long isend(long type, void* buf, long count, long node, long pid) {
  return nx::call<Plain>("isend", nx::isend, type, buf, count, node, pid);
}
EARL_NX_ENTRY long _isend(long type, void* buf, long count, long node, long pid) {
  return nx::call<Underscore>("_isend", nx::isend, type, buf, count, node, pid);
}
EARL_NX_ENTRY std::int32_t isend_(Integer type, void* buf, Integer count, Integer node,
                                  Integer pid) {
  return nx::call<Plain>("isend", nx::isend, type, buf, count, node, pid);
}

EARL_NX_ENTRY long irecv(long typesel, void* buf, long count) {
  return nx::call<Plain>("irecv", nx::irecv, typesel, buf, count);
}
EARL_NX_ENTRY long _irecv(long typesel, void* buf, long count) {
  return nx::call<Underscore>("_irecv", nx::irecv, typesel, buf, count);
}
EARL_NX_ENTRY std::int32_t irecv_(Integer typesel, void* buf, Integer count) {
  return nx::call<Plain>("irecv", nx::irecv, typesel, buf, count);
}

EARL_NX_ENTRY long csendrecv(long type, void* sbuf, long scount, long node, long pid, long typesel,
                             void* rbuf, long rcount) {
  return nx::call<Plain>("csendrecv", nx::csendrecv, type, sbuf, scount, node, pid, typesel, rbuf,
                         rcount);
}
EARL_NX_ENTRY long _csendrecv(long type, void* sbuf, long scount, long node, long pid, long typesel,
                              void* rbuf, long rcount) {
  return nx::call<Underscore>("_csendrecv", nx::csendrecv, type, sbuf, scount, node, pid, typesel,
                              rbuf, rcount);
}
EARL_NX_ENTRY std::int32_t csendrecv_(Integer type, void* sbuf, Integer scount, Integer node,
                                      Integer pid, Integer typesel, void* rbuf, Integer rcount) {
  return nx::call<Plain>("csendrecv", nx::csendrecv, type, sbuf, scount, node, pid, typesel, rbuf,
                         rcount);
}

EARL_NX_ENTRY long isendrecv(long type, void* sbuf, long scount, long node, long pid, long typesel,
                             void* rbuf, long rcount) {
  return nx::call<Plain>("isendrecv", nx::isendrecv, type, sbuf, scount, node, pid, typesel, rbuf,
                         rcount);
}
EARL_NX_ENTRY long _isendrecv(long type, void* sbuf, long scount, long node, long pid, long typesel,
                              void* rbuf, long rcount) {
  return nx::call<Underscore>("_isendrecv", nx::isendrecv, type, sbuf, scount, node, pid, typesel,
                              rbuf, rcount);
}
EARL_NX_ENTRY std::int32_t isendrecv_(Integer type, void* sbuf, Integer scount, Integer node,
                                      Integer pid, Integer typesel, void* rbuf, Integer rcount) {
  return nx::call<Plain>("isendrecv", nx::isendrecv, type, sbuf, scount, node, pid, typesel, rbuf,
                         rcount);
}

EARL_NX_ENTRY void crecvx(long typesel, void* buf, long count, long nodesel, long ptypesel,
                          long info[8]) {
  nx::call<Plain>("crecvx", nx::crecvx<long>, typesel, buf, count, nodesel, ptypesel, info);
}
EARL_NX_ENTRY long _crecvx(long typesel, void* buf, long count, long nodesel, long ptypesel,
                           long info[8]) {
  return nx::call<Underscore>("_crecvx", nx::crecvx<long>, typesel, buf, count, nodesel, ptypesel,
                              info);
}
EARL_NX_ENTRY void crecvx_(Integer typesel, void* buf, Integer count, Integer nodesel,
                           Integer ptypesel, std::int32_t info[8]) {
  nx::call<Plain>("crecvx", nx::crecvx<std::int32_t>, typesel, buf, count, nodesel, ptypesel, info);
}

EARL_NX_LONG32(void, crecvx, nx::crecvx<std::int32_t>,
               (long typesel, void* buf, long count, long nodesel, long ptypesel,
                std::int32_t info[8]),
               typesel, buf, count, nodesel, ptypesel, info)

EARL_NX_ENTRY long irecvx(long typesel, void* buf, long count, long nodesel, long ptypesel,
                          long info[8]) {
  return nx::call<Plain>("irecvx", nx::irecvx<long>, typesel, buf, count, nodesel, ptypesel, info);
}
EARL_NX_ENTRY long _irecvx(long typesel, void* buf, long count, long nodesel, long ptypesel,
                           long info[8]) {
  return nx::call<Underscore>("_irecvx", nx::irecvx<long>, typesel, buf, count, nodesel, ptypesel,
                              info);
}
EARL_NX_ENTRY std::int32_t irecvx_(Integer typesel, void* buf, Integer count, Integer nodesel,
                                   Integer ptypesel, std::int32_t info[8]) {
  return nx::call<Plain>("irecvx", nx::irecvx<std::int32_t>, typesel, buf, count, nodesel, ptypesel,
                         info);
}

EARL_NX_LONG32(long, irecvx, nx::irecvx<std::int32_t>,
               (long typesel, void* buf, long count, long nodesel, long ptypesel,
                std::int32_t info[8]),
               typesel, buf, count, nodesel, ptypesel, info)

EARL_NX_ENTRY void gsendx(long type, void* buf, long count, long nodes[], long nnodes) {
  nx::call<Plain>("gsendx", nx::gsendx<long>, type, buf, count, nodes, nnodes);
}
EARL_NX_ENTRY long _gsendx(long type, void* buf, long count, long nodes[], long nnodes) {
  return nx::call<Underscore>("_gsendx", nx::gsendx<long>, type, buf, count, nodes, nnodes);
}
EARL_NX_LONG32(void, gsendx, nx::gsendx<std::int32_t>,
               (long type, void* buf, long count, std::int32_t nodes[], long nnodes), type, buf,
               count, nodes, nnodes)
EARL_NX_ENTRY void gsendx_(Integer type, void* buf, Integer count, std::int32_t nodes[],
                           Integer nnodes) {
  nx::call<Plain>("gsendx", nx::gsendx<std::int32_t>, type, buf, count, nodes, nnodes);
}
