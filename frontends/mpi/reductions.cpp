// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 4.9 to 4.11: collectives that combine what all members have.
#include <cstring>

#include "frontends/mpi/call.hpp"
#include "frontends/mpi/inter_collectives.hpp"
#include "frontends/mpi/operations.hpp"
#include "frontends/mpi/parts.hpp"
#include "generic/collectives/collectives.hpp"

namespace earl::mpi {

namespace {

constexpr ArgumentNames operand_names{.buffer = "sendbuf"};
constexpr ArgumentNames result_names{.buffer = "recvbuf"};

/// The operands of the core, one behind the other: the memory of the result, or other memory where
/// that has holes or there is none.
class Operand {
 public:
  /// `result` may be null: there is none here.
  Operand(State& me, Sent const& sent, Incoming const* result) : result_(result) {
    bool const at_once = result && result->pieces.contiguous();
    bool const in_place = sent.buffer == MPI_IN_PLACE;
    if (in_place && at_once) {
      data_ = result->pieces.only();
      return;
    }
    auto* const from = in_place ? nullptr : sent.buffer;
    auto const given =
        in_place ? Outgoing{} : outgoing(me, from, sent.count, sent.datatype, operand_names);
    std::size_t const size = in_place ? result->pieces.size() : given.pieces.size();
    data_ = at_once ? result->pieces.only() : room(size);
    own_ = !at_once;
    if (in_place)
      read(*result);
    else if (given.pieces.contiguous() && size != 0)
      std::memmove(data_.data(), given.pieces.only().data(), size);
    else
      copy(given.pieces, data_);
  }
  Operand(Operand const&) = delete;
  Operand& operator=(Operand const&) = delete;

  MutableBytes data() const { return data_; }
  /// Puts the result where the program wants it.
  void finish() const {
    if (result_ && own_) copy(data_, result_->pieces);
  }

 private:
  MutableBytes room(std::size_t size) {
    if (size <= sizeof short_) return MutableBytes{short_}.first(size);
    long_ = Buffer{size};
    return long_.room();
  }
  /// A result with holes is a pattern.
  void read(Incoming const& from) const {
    if (from.pieces.patterned()) copy(Gather{from.pieces.base(), from.pieces.pattern()}, data_);
  }

  Incoming const* result_;
  bool own_ = false;
  MutableBytes data_{};
  alignas(std::max_align_t) std::byte short_[256];
  Buffer long_{};
};

void reduce(State& me, Sent const& sent, void* into, Handle op, int root, Handle on) {
  Communicator const& comm = me.communicator(on);
  if (comm.inter()) [[unlikely]]
    return reduce_between(me, comm, root, sent, into, op);
  Combining const combining(me, op, sent.datatype);
  auto const at = member(comm, root);
  bool const is_root = comm.local->me() == root;
  auto const result =
      is_root ? incoming(me, into, sent.count, sent.datatype, result_names) : Incoming{};
  Operand const operand(me, sent, is_root ? &result : nullptr);
  earl::reduce(me.process(), comm.group(), at, operand.data(), combining.combine());
  operand.finish();
}

void all_reduce(State& me, Sent const& sent, void* into, Handle op, Handle on) {
  Communicator const& comm = me.communicator(on);
  if (comm.inter()) [[unlikely]]
    return all_reduce_between(me, comm, sent, into, op);
  Combining const combining(me, op, sent.datatype);
  auto const result = incoming(me, into, sent.count, sent.datatype, result_names);
  if (sent.buffer != MPI_IN_PLACE && result.pieces.contiguous()) {
    auto const given = outgoing(me, sent.buffer, sent.count, sent.datatype, operand_names);
    if (given.pieces.contiguous() && apart(given.pieces.only(), result.pieces.only()))
      return earl::all_reduce(me.process(), comm.group(), given.pieces.only(), result.pieces.only(),
                              combining.combine());
  }
  Operand const operand(me, sent, &result);
  earl::all_reduce(me.process(), comm.group(), operand.data(), combining.combine());
  operand.finish();
}

void scan(State& me, Sent const& sent, void* into, Handle op, Handle on) {
  Communicator const& comm = me.intracommunicator(on);
  Combining const combining(me, op, sent.datatype);
  auto const result = incoming(me, into, sent.count, sent.datatype, result_names);
  Operand const operand(me, sent, &result);
  earl::scan(me.process(), comm.group(), operand.data(), combining.combine());
  operand.finish();
}

void exclusive_scan(State& me, Sent const& sent, void* into, Handle op, Handle on) {
  Communicator const& comm = me.intracommunicator(on);
  Combining const combining(me, op, sent.datatype);
  auto const result = incoming(me, into, sent.count, sent.datatype, result_names);
  bool const in_place = sent.buffer == MPI_IN_PLACE;
  Buffer data{outgoing(me, in_place ? into : sent.buffer, sent.count, sent.datatype,
                       in_place ? result_names : operand_names)
                  .pieces};
  earl::prefix(me.process(), comm.group(), data.room(), combining.combine());
  if (comm.local->me() != 0) copy(data.bytes(), result.pieces);
}

void combine(State& me, Sent const& in, void* inout, Handle op) {
  Combining const combining(me, op, in.datatype);
  auto const result = incoming(me, inout, in.count, in.datatype, {.buffer = "inoutbuf"});
  Buffer data{outgoing(me, in.buffer, in.count, in.datatype, {.buffer = "inbuf"}).pieces};
  Buffer const other{outgoing(me, inout, in.count, in.datatype, {.buffer = "inoutbuf"}).pieces};
  combining.combine()(data.room(), other.bytes());
  copy(data.bytes(), result.pieces);
}

/// Class COUNT.
int sum_of(int const* counts, int members) {
  long all = 0;
  for (int i = 0; i < members; ++i) {
    if (counts[i] < 0)
      throw MpiError(ErrorClass::count, "recvcounts[{}] is {}: pass 0 or more", i, counts[i]);
    all += counts[i];
  }
  if (all > std::numeric_limits<int>::max())
    throw MpiError(ErrorClass::count, "recvcounts are {} in all: more than an int can say", all);
  return static_cast<int>(all);
}

void reduce_scatter(State& me, void const* from, void* into, int const* counts, Handle datatype,
                    Handle op, Handle on) {
  Communicator const& comm = me.communicator(on);
  Combining const combining(me, op, datatype);
  int const members = comm.local->size();
  int const all = sum_of(&require(counts, "recvcounts"), members);
  if (comm.inter()) [[unlikely]]
    return reduce_scatter_between(me, comm, {from, all, datatype}, into, counts, op);
  bool const in_place = from == MPI_IN_PLACE;
  Buffer data{
      outgoing(me, in_place ? into : from, all, datatype, in_place ? result_names : operand_names)
          .pieces};
  std::vector<std::size_t> sizes;
  sizes.reserve(static_cast<std::size_t>(members));
  for (int i = 0; i < members; ++i)
    sizes.push_back(static_cast<std::size_t>(counts[i]) * size_of(me, datatype));
  Buffer mine{sizes[static_cast<std::size_t>(comm.local->me())]};
  earl::reduce_scatter(me.process(), comm.group(), data.room(), sizes, combining.combine(),
                       mine.room());
  copy(mine.bytes(), incoming(me, into, counts[comm.local->me()], datatype, result_names).pieces);
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;

extern "C" int PMPI_Reduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, int root, MPI_Comm comm) {
  return mpi::call("MPI_Reduce", comm, [&](State& me) {
    mpi::reduce(me, {sendbuf, count, datatype}, recvbuf, op, root, comm);
  });
}
EARL_MPI(Reduce)

extern "C" int PMPI_Allreduce(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm) {
  return mpi::call("MPI_Allreduce", comm, [&](State& me) {
    mpi::all_reduce(me, {sendbuf, count, datatype}, recvbuf, op, comm);
  });
}
EARL_MPI(Allreduce)

extern "C" int PMPI_Reduce_scatter(void const* sendbuf, void* recvbuf, int const recvcounts[],
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return mpi::call("MPI_Reduce_scatter", comm, [&](State& me) {
    mpi::reduce_scatter(me, sendbuf, recvbuf, recvcounts, datatype, op, comm);
  });
}
EARL_MPI(Reduce_scatter)

extern "C" int PMPI_Reduce_scatter_block(void const* sendbuf, void* recvbuf, int recvcount,
                                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return mpi::call("MPI_Reduce_scatter_block", comm, [&](State& me) {
    mpi::checked_count(recvcount, {.count = "recvcount"});
    auto const members = static_cast<std::size_t>(me.communicator(comm).local->size());
    std::vector<int> const counts(members, recvcount);
    mpi::reduce_scatter(me, sendbuf, recvbuf, counts.data(), datatype, op, comm);
  });
}
EARL_MPI(Reduce_scatter_block)

extern "C" int PMPI_Reduce_local(void const* inbuf, void* inoutbuf, int count,
                                 MPI_Datatype datatype, MPI_Op op) {
  return mpi::call("MPI_Reduce_local", MPI_COMM_WORLD, [&](State& me) {
    mpi::combine(me, {inbuf, count, datatype}, inoutbuf, op);
  });
}
EARL_MPI(Reduce_local)

extern "C" int PMPI_Exscan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm) {
  return mpi::call("MPI_Exscan", comm, [&](State& me) {
    mpi::exclusive_scan(me, {sendbuf, count, datatype}, recvbuf, op, comm);
  });
}
EARL_MPI(Exscan)

extern "C" int PMPI_Scan(void const* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm) {
  return mpi::call("MPI_Scan", comm, [&](State& me) {
    mpi::scan(me, {sendbuf, count, datatype}, recvbuf, op, comm);
  });
}
EARL_MPI(Scan)
