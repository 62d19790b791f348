// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 3.7.2 and 3.9: messages that are only started, and those that are planned.
#include "frontends/mpi/call.hpp"
#include "frontends/mpi/messages.hpp"
#include "generic/request_table.hpp"

namespace earl::mpi {

namespace {

/// A new request, for an operation that has been started.
[[gnu::always_inline]] inline Request& open(State& me, Handle& request, RequestId core,
                                            Communicator& comm) {
  Request& made = me.requests().add(request);
  made.core = core;
  made.comm = Ref{&comm};
  return made;
}

template <Way way>
RequestId start(State& me, Envelope const& to, Gather const& pieces) {
  if constexpr (way != Way::buffered) return me.process().requests().start_send(to, pieces);
  me.buffered_sends().send(me.process(), to, pieces);
  return no_request;
}

/// Takes a copy: the caller's then need not be in memory.
template <Way way>
[[gnu::noinline]] void start_patterned_send(State& me, Message message, Handle& request) {
  auto one = prepared(me, way, message);
  auto const core = one.to_proc_null ? no_request : start<way>(me, one.to, one.data.pieces);
  open(me, request, core, one.comm).keep(std::move(one.data.kept));
}

// Inlined, as PMPI_Send is: with a short message, calls would cost more than they do.
template <Way way>
[[gnu::always_inline]] inline void start_send(State& me, Message const& message,
                                              MPI_Request* result) {
  Handle& request = require(result, "request");
  Communicator& comm = me.communicator(message.comm);
  if (!builtin::is_plain(message.datatype)) [[unlikely]]
    return start_patterned_send<way>(me, message, request);
  Gather const data{
      plain_memory<Bytes>(message.buffer, message.count, message.datatype, plain_names)};
  static_cast<void>(tag_of(message.tag));
  RequestId core = no_request;
  if (message.dest != MPI_PROC_NULL) [[likely]]
    core = start<way>(me,
                      me.envelope(comm, message.dest, message.tag, mode_of(way),
                                  builtin::signature_of(message.datatype)),
                      data);
  open(me, request, core, comm);
}

void plan_send(State& me, Way way, Message const& message, MPI_Request* result) {
  Handle& request = require(result, "request");
  auto one = prepared(me, way, message);
  Request made{.active = false, .comm = Ref{&one.comm}, .more = std::make_unique<RarelyNeeded>()};
  made.more->again = std::make_unique<Persistent>();
  if (!one.to_proc_null)
    made.again()->send = std::make_unique<SendPlan>(
        SendPlan{.to = one.to, .data = std::move(one.data), .buffered = way == Way::buffered});
  request = me.requests().open(std::move(made));
}

/// Null: types are not checked.
std::unique_ptr<Expected> expected(State& me, Handle datatype) {
  auto const* const checks = me.type_checks();
  return checks ? std::make_unique<Expected>(checks->expected(datatype)) : nullptr;
}

[[gnu::always_inline]] inline RequestId post(State& me, Communicator const& comm,
                                             Wanted const& wanted, Scatter const& room) {
  static_cast<void>(tag_or_any(wanted.tag));
  if (wanted.source == MPI_PROC_NULL) [[unlikely]]
    return no_request;
  return me.process().requests().start_receive(me.narrow_spec(comm, wanted.source, wanted.tag),
                                               room);
}

[[gnu::noinline]] void start_patterned_receive(State& me, Communicator& comm, Wanted wanted,
                                               Handle& request) {
  auto room = incoming(me, wanted.buffer, wanted.count, wanted.datatype);
  auto more = std::make_unique<RarelyNeeded>();
  more->expected = expected(me, wanted.datatype);
  more->kept = std::move(room.kept);
  Request& made = open(me, request, post(me, comm, wanted, room.pieces), comm);
  made.receive = true;
  made.more = std::move(more);
}

[[gnu::always_inline]] inline void start_receive(State& me, Wanted const& wanted,
                                                 MPI_Request* result) {
  Handle& request = require(result, "request");
  Communicator& comm = me.communicator(wanted.comm);
  if (!builtin::is_plain(wanted.datatype) || me.type_checks()) [[unlikely]]
    return start_patterned_receive(me, comm, wanted, request);
  Scatter const room{
      plain_memory<MutableBytes>(wanted.buffer, wanted.count, wanted.datatype, plain_names)};
  open(me, request, post(me, comm, wanted, room), comm).receive = true;
}

void plan_receive(State& me, Wanted const& wanted, MPI_Request* result) {
  Handle& request = require(result, "request");
  Communicator& comm = me.communicator(wanted.comm);
  auto room = incoming(me, wanted.buffer, wanted.count, wanted.datatype);
  Request made{.receive = true,
               .active = false,
               .comm = Ref{&comm},
               .more = std::make_unique<RarelyNeeded>()};
  made.more->expected = expected(me, wanted.datatype);
  made.more->again = std::make_unique<Persistent>();
  if (auto const spec = spec_of(me, comm, wanted))
    made.again()->receive =
        std::make_unique<ReceivePlan>(ReceivePlan{.spec = *spec, .room = std::move(room)});
  request = me.requests().open(std::move(made));
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;
using mpi::Way;

// --- nonblocking

extern "C" int PMPI_Isend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                          MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Isend", comm, [&](State& me) {
    mpi::start_send<Way::nonblocking>(me, {buf, count, datatype, dest, tag, comm}, request);
  });
}
EARL_MPI(Isend)

extern "C" int PMPI_Issend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                           MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Issend", comm, [&](State& me) {
    mpi::start_send<Way::synchronous>(me, {buf, count, datatype, dest, tag, comm}, request);
  });
}
EARL_MPI(Issend)

extern "C" int PMPI_Irsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                           MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Irsend", comm, [&](State& me) {
    mpi::start_send<Way::ready>(me, {buf, count, datatype, dest, tag, comm}, request);
  });
}
EARL_MPI(Irsend)

extern "C" int PMPI_Ibsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                           MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Ibsend", comm, [&](State& me) {
    mpi::start_send<Way::buffered>(me, {buf, count, datatype, dest, tag, comm}, request);
  });
}
EARL_MPI(Ibsend)

extern "C" int PMPI_Irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag,
                          MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Irecv", comm, [&](State& me) {
    mpi::start_receive(me, {buf, count, datatype, source, tag, comm}, request);
  });
}
EARL_MPI(Irecv)

// --- to be started again and again

extern "C" int PMPI_Send_init(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                              MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Send_init", comm, [&](State& me) {
    mpi::plan_send(me, Way::nonblocking, {buf, count, datatype, dest, tag, comm}, request);
  });
}
EARL_MPI(Send_init)

extern "C" int PMPI_Ssend_init(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                               MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Ssend_init", comm, [&](State& me) {
    mpi::plan_send(me, Way::synchronous, {buf, count, datatype, dest, tag, comm}, request);
  });
}
EARL_MPI(Ssend_init)

extern "C" int PMPI_Rsend_init(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                               MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Rsend_init", comm, [&](State& me) {
    mpi::plan_send(me, Way::ready, {buf, count, datatype, dest, tag, comm}, request);
  });
}
EARL_MPI(Rsend_init)

extern "C" int PMPI_Bsend_init(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                               MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Bsend_init", comm, [&](State& me) {
    mpi::plan_send(me, Way::buffered, {buf, count, datatype, dest, tag, comm}, request);
  });
}
EARL_MPI(Bsend_init)

extern "C" int PMPI_Recv_init(void* buf, int count, MPI_Datatype datatype, int source, int tag,
                              MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Recv_init", comm, [&](State& me) {
    mpi::plan_receive(me, {buf, count, datatype, source, tag, comm}, request);
  });
}
EARL_MPI(Recv_init)
