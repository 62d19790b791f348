// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 3.7.2 and 3.9: messages that are only started, and those that are planned.
#include "frontends/mpi/call.hpp"
#include "frontends/mpi/messages.hpp"

namespace earl::mpi {

namespace {

void start_send(State& me, Way way, Message const& message, MPI_Request* result) {
  Handle& request = require(result, "request");
  auto one = prepared(me, way, message);
  RequestId core = no_request;
  if (!one.to_proc_null && way == Way::buffered)
    me.buffered_sends().send(me.process(), one.to, one.data.pieces);
  else if (!one.to_proc_null)
    core = me.process().start_send(one.to, one.data.pieces);
  Request& made = me.requests().add(request);
  made.core = core;
  made.comm = Ref{&one.comm};
  if (one.data.kept.pattern) [[unlikely]]
    made.kept = std::move(one.data.kept);
}

void plan_send(State& me, Way way, Message const& message, MPI_Request* result) {
  Handle& request = require(result, "request");
  auto one = prepared(me, way, message);
  Request made{.active = false, .comm = Ref{&one.comm}, .again = std::make_unique<Persistent>()};
  if (!one.to_proc_null)
    made.again->send = std::make_unique<SendPlan>(
        SendPlan{.to = one.to, .data = std::move(one.data), .buffered = way == Way::buffered});
  request = me.requests().open(std::move(made));
}

/// Null: types are not checked.
std::unique_ptr<Expected> expected(State& me, Handle datatype) {
  auto const* const checks = me.type_checks();
  return checks ? std::make_unique<Expected>(checks->expected(datatype)) : nullptr;
}

void start_receive(State& me, Wanted const& wanted, MPI_Request* result) {
  Handle& request = require(result, "request");
  Communicator& comm = me.communicator(wanted.comm);
  auto room = incoming(me, wanted.buffer, wanted.count, wanted.datatype);
  auto checked = expected(me, wanted.datatype);
  RequestId core = no_request;
  if (auto const spec = spec_of(me, comm, wanted))
    core = me.process().start_receive(*spec, room.pieces);
  Request& made = me.requests().add(request);
  made.core = core;
  made.receive = true;
  made.comm = Ref{&comm};
  made.expected = std::move(checked);
  if (room.kept.pattern) [[unlikely]]
    made.kept = std::move(room.kept);
}

void plan_receive(State& me, Wanted const& wanted, MPI_Request* result) {
  Handle& request = require(result, "request");
  Communicator& comm = me.communicator(wanted.comm);
  auto room = incoming(me, wanted.buffer, wanted.count, wanted.datatype);
  Request made{.receive = true,
               .active = false,
               .comm = Ref{&comm},
               .expected = expected(me, wanted.datatype),
               .again = std::make_unique<Persistent>()};
  if (auto const spec = spec_of(me, comm, wanted))
    made.again->receive =
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
    mpi::start_send(me, Way::standard, {buf, count, datatype, dest, tag, comm}, request);
  });
}
EARL_MPI(Isend)

extern "C" int PMPI_Issend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                           MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Issend", comm, [&](State& me) {
    mpi::start_send(me, Way::synchronous, {buf, count, datatype, dest, tag, comm}, request);
  });
}
EARL_MPI(Issend)

extern "C" int PMPI_Irsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                           MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Irsend", comm, [&](State& me) {
    mpi::start_send(me, Way::ready, {buf, count, datatype, dest, tag, comm}, request);
  });
}
EARL_MPI(Irsend)

extern "C" int PMPI_Ibsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                           MPI_Comm comm, MPI_Request* request) {
  return mpi::call("MPI_Ibsend", comm, [&](State& me) {
    mpi::start_send(me, Way::buffered, {buf, count, datatype, dest, tag, comm}, request);
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
    mpi::plan_send(me, Way::standard, {buf, count, datatype, dest, tag, comm}, request);
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
