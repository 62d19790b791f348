// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 3.2 to 3.7 and 3.10: messages, blocking and not.
#include "frontends/mpi/messages.hpp"

#include "frontends/mpi/call.hpp"
#include "frontends/mpi/names.hpp"

namespace earl::mpi {

void refuse(State& me, Completion const& got) {
  if (got.lost && !got.receive)
    throw MpiError(ErrorClass::intern,
                   "{} ended and has not received the message (tag {}): it must, or a send that "
                   "does not wait for it is needed",
                   peer_text(me, got.envelope.context, got.envelope.dest),
                   number(got.envelope.tag));
  if (got.lost)
    throw MpiError(
        ErrorClass::intern, "{} ended before its message (tag {}) could be read; see why it ended",
        peer_text(me, got.envelope.context, got.envelope.source), number(got.envelope.tag));
  throw MpiError(
      ErrorClass::truncate,
      "count leaves room for {} bytes: the message from {}, tag {}, has {}; receive with "
      "a larger count",
      got.delivered, peer_text(me, got.envelope.context, got.envelope.source),
      number(got.envelope.tag), got.envelope.length);
}

Prepared prepared(State& me, Way way, Message const& message) {
  Communicator& comm = me.communicator(message.comm);
  auto data = outgoing(me, message.buffer, message.count, message.datatype, message.names);
  static_cast<void>(tag_of(message.tag, message.tag_name));
  if (message.dest == MPI_PROC_NULL) return {comm, std::move(data), true, {}};
  auto const to = me.envelope(comm, message.dest, message.tag, mode_of(way), data.signature);
  return {comm, std::move(data), false, to};
}

std::optional<MatchSpec> spec_of(State& me, Communicator const& comm, Wanted const& wanted) {
  static_cast<void>(tag_or_any(wanted.tag, wanted.tag_name));
  if (wanted.source == MPI_PROC_NULL) return {};
  return me.spec(comm, wanted.source, wanted.tag);
}

namespace {

template <Way way>
void send(State& me, Message const& message) {
  Communicator const& comm = me.communicator(message.comm);
  Borrowed<Bytes> const data{me, message.buffer, message.count, message.datatype};
  static_cast<void>(tag_of(message.tag));
  if (message.dest == MPI_PROC_NULL) [[unlikely]]
    return;
  auto const to = me.envelope(comm, message.dest, message.tag, mode_of(way), data.signature());
  if constexpr (way == Way::buffered)
    me.buffered_sends().send(me.process(), to, data.pieces());
  else if constexpr (way == Way::synchronous)
    check(me, me.process().wait(me.process().start_send(to, data.pieces())));
  else
    me.process().send(to, data.pieces());
}

void receive(State& me, Wanted const& wanted, MPI_Status* status) {
  check_status(status);
  Communicator const& comm = me.communicator(wanted.comm);
  Borrowed<MutableBytes> const room{me, wanted.buffer, wanted.count, wanted.datatype};
  static_cast<void>(tag_or_any(wanted.tag));
  if (wanted.source == MPI_PROC_NULL) [[unlikely]]
    return write(status, from_proc_null);
  auto const got =
      me.process().receive_narrow(me.narrow_spec(comm, wanted.source, wanted.tag), room.pieces());
  if (auto* const checks = me.type_checks()) [[unlikely]]
    checks->compare(comm, got, checks->expected(wanted.datatype));
  write(status, me.outcome(comm, got));
  check(me, got);
}

/// Takes a receive back whose memory will not stay.
void give_up(Process& process, RequestId receive) {
  process.cancel(receive);
  process.wait(receive);
}

/// Sends `message` while a receive into `room` is posted.
void exchange(State& me, Prepared const& message, std::optional<MatchSpec> const& spec,
              Incoming const& room, Handle datatype, MPI_Status* status) {
  Process& process = me.process();
  auto const posted = spec ? process.start_receive(*spec, room.pieces) : no_request;
  try {
    if (!message.to_proc_null) process.send(message.to, message.data.pieces);
  } catch (Error const&) {
    if (spec) give_up(process, posted);
    throw;
  }
  if (!spec) return write(status, from_proc_null);
  auto const got = process.wait(posted);
  if (auto* const checks = me.type_checks()) [[unlikely]]
    checks->compare(message.comm, got, checks->expected(datatype));
  write(status, me.outcome(message.comm, got));
  check(me, got);
}

void send_and_receive(State& me, Message const& message, Wanted const& wanted, MPI_Status* status) {
  check_status(status);
  auto const one = prepared(me, Way::standard, message);
  auto const room = incoming(me, wanted.buffer, wanted.count, wanted.datatype, wanted.names);
  exchange(me, one, spec_of(me, one.comm, wanted), room, wanted.datatype, status);
}

void replace(State& me, Message const& message, Wanted const& wanted, MPI_Status* status) {
  check_status(status);
  auto one = prepared(me, Way::standard, message);
  auto const room = incoming(me, wanted.buffer, wanted.count, wanted.datatype);
  auto const spec = spec_of(me, one.comm, wanted);
  Buffer const leaving{one.data.pieces};
  one.data.pieces = Gather{leaving.bytes()};
  exchange(me, one, spec, room, wanted.datatype, status);
}

int whole_items(std::uint64_t bytes, std::size_t size) {
  if (size == 0) return bytes == 0 ? 0 : MPI_UNDEFINED;
  bool const whole = bytes % size == 0 && bytes / size <= 0x7fff'ffff;
  return whole ? static_cast<int>(bytes / size) : MPI_UNDEFINED;
}

void attach(State& me, void* buffer, int size) {
  if (size < 0) throw MpiError(ErrorClass::arg, "size is {}: pass 0 or more", size);
  if (!buffer && size > 0)
    throw MpiError(ErrorClass::buffer, "buffer is a null pointer: pass memory of {} bytes", size);
  auto const* const site = me.call_site();
  me.buffered_sends().attach({static_cast<std::byte*>(buffer), static_cast<std::size_t>(size)},
                             site ? (*site)() : nullptr);
}

void detach(State& me, void* address, int* size) {
  auto*& result = require(static_cast<void**>(address), "buffer_addr");
  int& length = require(size, "size");
  auto const buffer = me.buffered_sends().detach(me.process());
  result = buffer.data();
  length = static_cast<int>(buffer.size());
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;
using mpi::Way;

// --- blocking

extern "C" int PMPI_Send(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                         MPI_Comm comm) {
  return mpi::call("MPI_Send", comm, [&](State& me) {
    mpi::send<Way::standard>(me, {buf, count, datatype, dest, tag, comm});
  });
}
EARL_MPI(Send)

extern "C" int PMPI_Ssend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                          MPI_Comm comm) {
  return mpi::call("MPI_Ssend", comm, [&](State& me) {
    mpi::send<Way::synchronous>(me, {buf, count, datatype, dest, tag, comm});
  });
}
EARL_MPI(Ssend)

extern "C" int PMPI_Rsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                          MPI_Comm comm) {
  return mpi::call("MPI_Rsend", comm, [&](State& me) {
    mpi::send<Way::ready>(me, {buf, count, datatype, dest, tag, comm});
  });
}
EARL_MPI(Rsend)

extern "C" int PMPI_Bsend(void const* buf, int count, MPI_Datatype datatype, int dest, int tag,
                          MPI_Comm comm) {
  return mpi::call("MPI_Bsend", comm, [&](State& me) {
    mpi::send<Way::buffered>(me, {buf, count, datatype, dest, tag, comm});
  });
}
EARL_MPI(Bsend)

extern "C" int PMPI_Buffer_attach(void* buffer, int size) {
  return mpi::call("MPI_Buffer_attach", MPI_COMM_WORLD,
                   [&](State& me) { mpi::attach(me, buffer, size); });
}
EARL_MPI(Buffer_attach)

extern "C" int PMPI_Buffer_detach(void* buffer_addr, int* size) {
  return mpi::call("MPI_Buffer_detach", MPI_COMM_WORLD,
                   [&](State& me) { mpi::detach(me, buffer_addr, size); });
}
EARL_MPI(Buffer_detach)

extern "C" int PMPI_Recv(void* buf, int count, MPI_Datatype datatype, int source, int tag,
                         MPI_Comm comm, MPI_Status* status) {
  return mpi::call("MPI_Recv", comm, [&](State& me) {
    mpi::receive(me, {buf, count, datatype, source, tag, comm}, status);
  });
}
EARL_MPI(Recv)

extern "C" int PMPI_Get_count(MPI_Status const* status, MPI_Datatype datatype, int* count) {
  return mpi::call("MPI_Get_count", MPI_COMM_WORLD, [&](State& me) {
    auto const bytes = mpi::bytes_in(mpi::require(status, "status"));
    mpi::require(count, "count") = mpi::whole_items(bytes, mpi::size_of(me, datatype));
  });
}
EARL_MPI(Get_count)

extern "C" int PMPI_Sendrecv(void const* sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
                             int sendtag, void* recvbuf, int recvcount, MPI_Datatype recvtype,
                             int source, int recvtag, MPI_Comm comm, MPI_Status* status) {
  return mpi::call("MPI_Sendrecv", comm, [&](State& me) {
    mpi::send_and_receive(
        me, {sendbuf, sendcount, sendtype, dest, sendtag, comm, mpi::send_names, "sendtag"},
        {recvbuf, recvcount, recvtype, source, recvtag, comm, mpi::receive_names, "recvtag"},
        status);
  });
}
EARL_MPI(Sendrecv)

extern "C" int PMPI_Sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest,
                                     int sendtag, int source, int recvtag, MPI_Comm comm,
                                     MPI_Status* status) {
  return mpi::call("MPI_Sendrecv_replace", comm, [&](State& me) {
    mpi::replace(me, {buf, count, datatype, dest, sendtag, comm, mpi::plain_names, "sendtag"},
                 {buf, count, datatype, source, recvtag, comm, mpi::plain_names, "recvtag"},
                 status);
  });
}
EARL_MPI(Sendrecv_replace)
