// SPDX-License-Identifier: BSD-3-Clause
/// Manual: handlers. hrecv hsend hsendrecv, their x-forms, masktrap.
#include "frontends/nx/call.hpp"
#include "frontends/nx/include/nx.h"
#include "frontends/nx/traps.hpp"

namespace earl::nx {

namespace {

/// The function to run, and its signature.
struct Handler {
  nx_trap function;
  HandlerAbi abi = HandlerAbi::c;
  std::int32_t parameter = 0;
};

Trap trap_of(State& me, char const* call, Handler const& handler) {
  return {.me = &me,
          .call = call,
          .function = handler.function,
          .abi = handler.abi,
          .parameter = handler.parameter};
}

struct Selectors {
  std::int32_t type, node = any, pid = any;
};

RequestId post_receive(State& me, Selectors const& from, void* buf, Length count, Trap trap) {
  const MutableBytes into = mutable_bytes(buf, count);
  auto const request = me.process().start_receive(me.spec(from.type, from.node, from.pid), into);
  trap.typesel = from.type;
  trap.room = into.size();
  me.traps().post(me.process(), request, trap);
  return request;
}

/// Without a function: removes the handlers posted with this selector.
void receive(State& me, char const* call, Selectors const& from, void* buf, Length count,
             Handler const& handler) {
  if (!handler.function) return me.traps().disarm(me.process(), from.type);
  post_receive(me, from, buf, count, trap_of(me, call, handler));
}

struct Destination {
  std::int32_t type, node, pid;
};

void send(State& me, Destination const& to, void const* buf, Length count) {
  const Envelope envelope = me.envelope(to.type, to.node, to.pid);
  const Bytes message = bytes(buf, count);
  if (to.node == all_nodes)
    return me.process().send_to_all(me.broadcast_ranks(to.pid), envelope, message);
  me.process().send(envelope, message);
}

/// A send is complete at once. The handler waits for an empty message of the process to itself, so
/// that it runs where handlers run.
void send(State& me, char const* call, Destination const& to, void const* buf, Length count,
          Handler const& handler) {
  if (!handler.function) throw NxError(EQPARAM, "no handler");
  send(me, to, buf, count);
  // NX's private context for the message to itself.
  constexpr Context own = context_of(Space::front_end, 0x4e58'0000'0001);
  auto const rank = me.process().rank();
  auto const request = me.process().start_receive({.source = rank, .context = own}, MutableBytes{});
  me.process().send({.dest = rank, .context = own, .mode = Mode::buffered}, Bytes{});
  Trap trap = trap_of(me, call, handler);
  trap.sends = true;
  trap.sent = {to.type, count, to.node, to.pid};
  me.traps().post(me.process(), request, trap);
}

template <HandlerAbi abi>
void hrecv(State& me, std::int32_t typesel, void* buf, Length count, nx_trap function) {
  receive(me, "hrecv", {typesel}, buf, count, {function, abi});
}

template <HandlerAbi abi>
void hrecvx(State& me, std::int32_t typesel, void* buf, Length count, std::int32_t nodesel,
            std::int32_t ptypesel, nx_trap function, std::int32_t parameter) {
  receive(me, "hrecvx", {typesel, nodesel, ptypesel}, buf, count, {function, abi, parameter});
}

template <HandlerAbi abi>
void hsend(State& me, std::int32_t type, void const* buf, Length count, std::int32_t node,
           std::int32_t pid, nx_trap function) {
  send(me, "hsend", {type, node, pid}, buf, count, {function, abi});
}

template <HandlerAbi abi>
void hsendx(State& me, std::int32_t type, void const* buf, Length count, std::int32_t node,
            std::int32_t pid, nx_trap function, std::int32_t parameter) {
  send(me, "hsendx", {type, node, pid}, buf, count, {function, abi, parameter});
}

/// The receive is posted first, so that the reply finds it.
template <HandlerAbi abi>
void hsendrecv(State& me, std::int32_t type, void const* sbuf, Length scount, std::int32_t node,
               std::int32_t pid, std::int32_t typesel, void* rbuf, Length rcount,
               nx_trap function) {
  if (!function) throw NxError(EQPARAM, "no handler");
  // Everything that can be wrong with the send, before the receive is posted.
  me.envelope(type, node, pid);
  bytes(sbuf, scount);
  post_receive(me, {typesel}, rbuf, rcount, trap_of(me, "hsendrecv", {function, abi}));
  send(me, {type, node, pid}, sbuf, scount);
}

std::int32_t masktrap(State& me, std::int32_t on) {
  return me.process().handlers().mask(on != 0) ? 1 : 0;
}

}  // namespace
}  // namespace earl::nx

namespace nx = earl::nx;
using nx::HandlerAbi;
using nx::Integer;
using nx::Plain;
using nx::Underscore;

EARL_NX_ENTRY void hrecv(long typesel, void* buf, long count, nx_trap h) {
  nx::call<Plain>("hrecv", nx::hrecv<HandlerAbi::c>, typesel, buf, count, h);
}
EARL_NX_ENTRY long _hrecv(long typesel, void* buf, long count, nx_trap h) {
  return nx::call<Underscore>("_hrecv", nx::hrecv<HandlerAbi::c>, typesel, buf, count, h);
}
EARL_NX_ENTRY void hrecv_(Integer typesel, void* buf, Integer count, nx_trap h) {
  nx::call<Plain>("hrecv", nx::hrecv<HandlerAbi::fortran>, typesel, buf, count, h);
}

EARL_NX_ENTRY void hrecvx(long typesel, void* buf, long count, long nodesel, long ptypesel,
                          nx_trap xh, long hparam) {
  nx::call<Plain>("hrecvx", nx::hrecvx<HandlerAbi::c_extended>, typesel, buf, count, nodesel,
                  ptypesel, xh, hparam);
}
EARL_NX_ENTRY long _hrecvx(long typesel, void* buf, long count, long nodesel, long ptypesel,
                           nx_trap xh, long hparam) {
  return nx::call<Underscore>("_hrecvx", nx::hrecvx<HandlerAbi::c_extended>, typesel, buf, count,
                              nodesel, ptypesel, xh, hparam);
}
EARL_NX_ENTRY void hrecvx_(Integer typesel, void* buf, Integer count, Integer nodesel,
                           Integer ptypesel, nx_trap xh, Integer hparam) {
  nx::call<Plain>("hrecvx", nx::hrecvx<HandlerAbi::fortran_extended>, typesel, buf, count, nodesel,
                  ptypesel, xh, hparam);
}

EARL_NX_ENTRY void hsend(long type, void* buf, long count, long node, long pid, nx_trap h) {
  nx::call<Plain>("hsend", nx::hsend<HandlerAbi::c>, type, buf, count, node, pid, h);
}
EARL_NX_ENTRY long _hsend(long type, void* buf, long count, long node, long pid, nx_trap h) {
  return nx::call<Underscore>("_hsend", nx::hsend<HandlerAbi::c>, type, buf, count, node, pid, h);
}
EARL_NX_ENTRY void hsend_(Integer type, void* buf, Integer count, Integer node, Integer pid,
                          nx_trap h) {
  nx::call<Plain>("hsend", nx::hsend<HandlerAbi::fortran>, type, buf, count, node, pid, h);
}

EARL_NX_ENTRY void hsendx(long type, void* buf, long count, long node, long pid, nx_trap xh,
                          long hparam) {
  nx::call<Plain>("hsendx", nx::hsendx<HandlerAbi::c_extended>, type, buf, count, node, pid, xh,
                  hparam);
}
EARL_NX_ENTRY long _hsendx(long type, void* buf, long count, long node, long pid, nx_trap xh,
                           long hparam) {
  return nx::call<Underscore>("_hsendx", nx::hsendx<HandlerAbi::c_extended>, type, buf, count, node,
                              pid, xh, hparam);
}
EARL_NX_ENTRY void hsendx_(Integer type, void* buf, Integer count, Integer node, Integer pid,
                           nx_trap xh, Integer hparam) {
  nx::call<Plain>("hsendx", nx::hsendx<HandlerAbi::fortran_extended>, type, buf, count, node, pid,
                  xh, hparam);
}

EARL_NX_ENTRY void hsendrecv(long type, void* sbuf, long scount, long node, long pid, long typesel,
                             void* rbuf, long rcount, nx_trap h) {
  nx::call<Plain>("hsendrecv", nx::hsendrecv<HandlerAbi::c>, type, sbuf, scount, node, pid, typesel,
                  rbuf, rcount, h);
}
EARL_NX_ENTRY long _hsendrecv(long type, void* sbuf, long scount, long node, long pid, long typesel,
                              void* rbuf, long rcount, nx_trap h) {
  return nx::call<Underscore>("_hsendrecv", nx::hsendrecv<HandlerAbi::c>, type, sbuf, scount, node,
                              pid, typesel, rbuf, rcount, h);
}
EARL_NX_ENTRY void hsendrecv_(Integer type, void* sbuf, Integer scount, Integer node, Integer pid,
                              Integer typesel, void* rbuf, Integer rcount, nx_trap h) {
  nx::call<Plain>("hsendrecv", nx::hsendrecv<HandlerAbi::fortran>, type, sbuf, scount, node, pid,
                  typesel, rbuf, rcount, h);
}

EARL_NX_ENTRY long masktrap(long on) { return nx::call<Plain>("masktrap", nx::masktrap, on); }
EARL_NX_ENTRY long _masktrap(long on) {
  return nx::call<Underscore>("_masktrap", nx::masktrap, on);
}
EARL_NX_ENTRY std::int32_t masktrap_(Integer on) {
  return nx::call<Plain>("masktrap", nx::masktrap, on);
}
