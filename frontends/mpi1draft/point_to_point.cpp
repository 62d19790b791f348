// SPDX-License-Identifier: BSD-3-Clause
/// Proposal, 3.1 and 3.4: sending and receiving, contiguous, strided and arbitrary.
#include "frontends/mpi1draft/call.hpp"
#include "frontends/mpi1draft/include/mpi1.h"

namespace earl::mpi1draft {

namespace {

Mode mode_of(Manner manner) {
  if (manner == Manner::synchronized) return Mode::synchronous;
  return manner == Manner::nonblocking ? Mode::buffered : Mode::buffered_by_default;
}

/// Where a message of the given manner goes; a synchronized one to oneself would wait for ever.
Envelope envelope(State& me, Manner manner, int dest, int type) {
  Envelope const to = me.envelope(dest, type, mode_of(manner));
  if (manner == Manner::synchronized && to.dest == me.process().rank())
    throw DraftError(me.no_process(dest).status(),
                     "a synchronized message to oneself never completes: use another mode");
  return to;
}

/// Returns when `message` may be used again; a synchronized one has been received then.
void send(State& me, char const* routine, Envelope const& to, Gather const& message) {
  if (to.mode != Mode::synchronous) return me.process().send(to, message);
  if (!me.process().send_synchronous(to, message)) me.taken_otherwise(routine, to);
}

int send(State& me, char const* routine, char const* mode, int dest, int type, List<Bytes> from) {
  Manner const manner = manner_of(mode);
  Envelope const to = envelope(me, manner, dest, type);
  if (manner == Manner::nonblocking) return me.start_send(to, std::move(from));
  const Gather pieces{std::span<const Bytes>{from}};
  send(me, routine, to, pieces);
  return length_of(pieces.size());
}

/// Waits for it.
int receive(State& me, char const* routine, char const* mode, int source, int type,
            Scatter const& into) {
  Manner const manner = manner_of(mode);
  MatchSpec const spec = me.spec(manner, source, type);
  me.keep_limit();
  me.facts().reset();
  return me.received(routine, manner, me.process().receive(spec, into));
}

int receive(State& me, char const* routine, char const* mode, int source, int type,
            List<MutableBytes> into) {
  if (manner_of(mode) != Manner::nonblocking)
    return receive(me, routine, mode, source, type, Scatter{std::span<const MutableBytes>{into}});
  MatchSpec const spec = me.spec(Manner::nonblocking, source, type);
  me.keep_limit();
  return me.start_receive(spec, std::move(into));
}

// The common case needs no list.
int csend(State& me, char const* mode, void const* buf, int dest, int type, int len) {
  Manner const manner = manner_of(mode);
  Envelope const to = envelope(me, manner, dest, type);
  Bytes const message = bytes(buf, len);
  if (manner == Manner::nonblocking) return me.start_send(to, {message});
  send(me, "MPI_CSEND", to, message);
  return len;
}

int crecv(State& me, char const* mode, void* buf, int source, int type, int maxlen) {
  Manner const manner = manner_of(mode);
  MatchSpec const spec = me.spec(manner, source, type);
  MutableBytes const into = mutable_bytes(buf, maxlen);
  me.keep_limit();
  if (manner == Manner::nonblocking) return me.start_receive(spec, {into});
  me.facts().reset();
  return me.received("MPI_CRECV", manner, me.process().receive(spec, into));
}

int ssend(State& me, char const* mode, void const* buf, int dest, int type, int lenblk, int stride,
          int nblks) {
  Strided const shape{.length = lenblk, .stride = stride, .count = nblks};
  if (manner_of(mode) == Manner::nonblocking)
    return send(me, "MPI_SSEND", mode, dest, type, block_list(buf, shape));
  Envelope const to = envelope(me, manner_of(mode), dest, type);
  Pattern const pattern = blocks(buf, shape);
  send(me, "MPI_SSEND", to, Gather{static_cast<std::byte const*>(buf), pattern});
  return length_of(pattern.size());
}

int srecv(State& me, char const* mode, void* buf, int source, int type, int lenblk, int stride,
          int nblks) {
  Strided const shape{.length = lenblk, .stride = stride, .count = nblks};
  if (manner_of(mode) == Manner::nonblocking)
    return receive(me, "MPI_SRECV", mode, source, type, block_list(buf, shape));
  Pattern const pattern = blocks(buf, shape);
  return receive(me, "MPI_SRECV", mode, source, type,
                 Scatter{static_cast<std::byte*>(buf), pattern});
}

int gsend(State& me, char const* mode, int dest, int type, int const* nlist, void const* ilist,
          int nblks) {
  return send(me, "MPI_GSEND", mode, dest, type, listed_bytes(nlist, ilist, nblks));
}

int grecv(State& me, char const* mode, int source, int type, int const* nlist, void const* ilist,
          int nblks) {
  return receive(me, "MPI_GRECV", mode, source, type, listed_room(nlist, ilist, nblks));
}

/// Fortran says where blocks are by their offsets.
int gsend_f(State& me, char const* mode, void const* buf, int dest, int type, int const* nlist,
            int const* ilist, int nblks) {
  return send(me, "MPI_GSEND", mode, dest, type, listed_bytes(buf, nlist, ilist, nblks));
}

int grecv_f(State& me, char const* mode, void* buf, int source, int type, int const* nlist,
            int const* ilist, int nblks) {
  return receive(me, "MPI_GRECV", mode, source, type, listed_room(buf, nlist, ilist, nblks));
}

}  // namespace
}  // namespace earl::mpi1draft

namespace draft = earl::mpi1draft;
using draft::Integer;

// Each routine as C calls it, then as Fortran does: by reference, and the length of `mode`, of
// which one letter counts, at the end.

extern "C" int MPI_CSEND(char const* mode, void const* buf, int dest, int type, int len) {
  return draft::call("MPI_CSEND", draft::csend, mode, buf, dest, type, len);
}
extern "C" int mpi_csend_(char const* mode, void const* buf, Integer dest, Integer type,
                          Integer len, std::size_t) {
  return draft::call("MPI_CSEND", draft::csend, mode, buf, dest, type, len);
}
EARL_DRAFT_FORTRAN(mpi_csend);

extern "C" int MPI_CRECV(char const* mode, void* buf, int source, int type, int maxlen) {
  return draft::call("MPI_CRECV", draft::crecv, mode, buf, source, type, maxlen);
}
extern "C" int mpi_crecv_(char const* mode, void* buf, Integer source, Integer type, Integer maxlen,
                          std::size_t) {
  return draft::call("MPI_CRECV", draft::crecv, mode, buf, source, type, maxlen);
}
EARL_DRAFT_FORTRAN(mpi_crecv);

extern "C" int MPI_SSEND(char const* mode, void const* buf, int dest, int type, int lenblk,
                         int stride, int nblks) {
  return draft::call("MPI_SSEND", draft::ssend, mode, buf, dest, type, lenblk, stride, nblks);
}
extern "C" int mpi_ssend_(char const* mode, void const* buf, Integer dest, Integer type,
                          Integer lenblk, Integer stride, Integer nblks, std::size_t) {
  return draft::call("MPI_SSEND", draft::ssend, mode, buf, dest, type, lenblk, stride, nblks);
}
EARL_DRAFT_FORTRAN(mpi_ssend);

extern "C" int MPI_SRECV(char const* mode, void* buf, int source, int type, int lenblk, int stride,
                         int nblks) {
  return draft::call("MPI_SRECV", draft::srecv, mode, buf, source, type, lenblk, stride, nblks);
}
extern "C" int mpi_srecv_(char const* mode, void* buf, Integer source, Integer type, Integer lenblk,
                          Integer stride, Integer nblks, std::size_t) {
  return draft::call("MPI_SRECV", draft::srecv, mode, buf, source, type, lenblk, stride, nblks);
}
EARL_DRAFT_FORTRAN(mpi_srecv);

extern "C" int MPI_GSEND(char const* mode, int dest, int type, int const* nlist, void const* ilist,
                         int nblks) {
  return draft::call("MPI_GSEND", draft::gsend, mode, dest, type, nlist, ilist, nblks);
}
extern "C" int mpi_gsend_(char const* mode, void const* buf, Integer dest, Integer type,
                          int const* nlist, int const* ilist, Integer nblks, std::size_t) {
  return draft::call("MPI_GSEND", draft::gsend_f, mode, buf, dest, type, nlist, ilist, nblks);
}
EARL_DRAFT_FORTRAN(mpi_gsend);

extern "C" int MPI_GRECV(char const* mode, int source, int type, int const* nlist,
                         void const* ilist, int nblks) {
  return draft::call("MPI_GRECV", draft::grecv, mode, source, type, nlist, ilist, nblks);
}
extern "C" int mpi_grecv_(char const* mode, void* buf, Integer source, Integer type,
                          int const* nlist, int const* ilist, Integer nblks, std::size_t) {
  return draft::call("MPI_GRECV", draft::grecv_f, mode, buf, source, type, nlist, ilist, nblks);
}
EARL_DRAFT_FORTRAN(mpi_grecv);
