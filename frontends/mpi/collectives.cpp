// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 4.3 to 4.8: collectives that move data.
#include "frontends/mpi/collectives.hpp"

#include "frontends/mpi/call.hpp"
#include "frontends/mpi/inter_collectives.hpp"
#include "frontends/mpi/parts.hpp"
#include "generic/collectives/collectives.hpp"

namespace earl::mpi {

std::size_t member(Communicator const& comm, int root) {
  if (!comm.local->holds(root))
    throw MpiError(ErrorClass::root, "root is {}: {} has ranks 0 to {}", root, comm.to_text(),
                   comm.local->size() - 1);
  return static_cast<std::size_t>(root);
}

namespace {

/// Programs of old pass memory that overlaps what they receive into: they get what they meant.
void separate(Parts<Bytes>& sent, AddressRange const& received) {
  if (sent.range().meets(received)) sent.detach();
}

bool all_have_some(int count, Counts const* each, int members) {
  if (!each) return count > 0;
  if (!each->counts) return false;
  return std::all_of(each->counts, each->counts + members, [](int one) { return one > 0; });
}

/// The data that a member of a gather sends: from the program's memory, or its own part of what is
/// received (MPI_IN_PLACE).
class Contribution {
 public:
  Contribution(State& me, Communicator const& comm, Sent const& sent, Received const& received,
               Counts const* each)
      : in_place_(sent.buffer == MPI_IN_PLACE),
        part_(me, bytes_at(in_place_ ? received.buffer : sent.buffer),
              in_place_ ? received.datatype : sent.datatype, 1,
              in_place_ ? receive_names : send_names) {
    auto const own = comm.local->me();
    if (!in_place_)
      part_.add(sent.count, 0);
    else if (each)
      part_.add(each->counts[own], each->places[own]);
    else
      part_.add(received.count, std::ptrdiff_t{own} * received.count);
  }

  Gather const& apart_from(AddressRange const& received) {
    if (!in_place_) separate(part_, received);
    return part_.all()[0];
  }

 private:
  bool in_place_;
  Parts<Bytes> part_;
};

void gather_at_root(State& me, Communicator const& comm, std::size_t root, Sent const& sent,
                    Received const& received, Counts const* each) {
  auto const size = comm.local->size();
  Parts<MutableBytes> rooms(me, bytes_at(received.buffer), received.datatype,
                            static_cast<std::size_t>(size), receive_names);
  add_all(rooms, size, received.count, each);
  Contribution mine(me, comm, sent, received, each);
  earl::gather(me.process(), comm.group(), root, mine.apart_from(rooms.range()), rooms.all());
}

void gather(State& me, Handle on, int root, Sent const& sent, Received const& received,
            Counts const* each = nullptr) {
  Communicator const& comm = me.communicator(on);
  if (comm.inter()) [[unlikely]]
    return gather_between(me, comm, root, sent, received, each);
  std::size_t const at = member(comm, root);
  if (auto* const checks = me.type_checks()) [[unlikely]]
    checks->note_collective({sent.datatype, sent.buffer != MPI_IN_PLACE && sent.count > 0},
                            {received.datatype, comm.local->me() == root});
  if (comm.local->me() == root) return gather_at_root(me, comm, at, sent, received, each);
  auto const mine = outgoing(me, sent.buffer, sent.count, sent.datatype, send_names);
  earl::gather(me.process(), comm.group(), at, mine.pieces, {});
}

void scatter_at_root(State& me, Communicator const& comm, std::size_t root, Sent const& sent,
                     Received const& received, Counts const* each) {
  auto const size = comm.local->size();
  Parts<Bytes> parts(me, bytes_at(sent.buffer), sent.datatype, static_cast<std::size_t>(size),
                     send_names);
  add_all(parts, size, sent.count, each);
  if (received.buffer == MPI_IN_PLACE) {
    const Buffer own{parts.all()[root]};
    Buffer room{own.size()};
    return earl::scatter(me.process(), comm.group(), root, parts.all(), Scatter{room.room()});
  }
  Parts<MutableBytes> mine(me, bytes_at(received.buffer), received.datatype, 1, receive_names);
  mine.add(received.count, 0);
  separate(parts, mine.range());
  earl::scatter(me.process(), comm.group(), root, parts.all(), mine.all()[0]);
}

void scatter(State& me, Handle on, int root, Sent const& sent, Received const& received,
             Counts const* each = nullptr) {
  Communicator const& comm = me.communicator(on);
  if (comm.inter()) [[unlikely]]
    return scatter_between(me, comm, root, sent, received, each);
  std::size_t const at = member(comm, root);
  if (auto* const checks = me.type_checks()) [[unlikely]]
    checks->note_collective(
        {sent.datatype, comm.local->me() == root},
        {received.datatype, received.buffer != MPI_IN_PLACE && received.count > 0});
  if (comm.local->me() == root) return scatter_at_root(me, comm, at, sent, received, each);
  auto const mine = incoming(me, received.buffer, received.count, received.datatype, receive_names);
  earl::scatter(me.process(), comm.group(), at, std::span<const Gather>{}, mine.pieces);
}

/// False: the memory has gaps, or is not apart.
bool gather_equal(State& me, Communicator const& comm, Sent const& sent, Received const& received) {
  auto const size = comm.local->size();
  auto const all = in_one_piece<MutableBytes>(me, bytes_at(received.buffer), received.count, size,
                                              received.datatype, receive_names);
  if (!all) return false;
  if (sent.buffer == MPI_IN_PLACE) {
    auto const one = all->size() / static_cast<std::size_t>(size);
    Bytes const mine = all->subspan(static_cast<std::size_t>(comm.local->me()) * one, one);
    earl::all_gather(me.process(), comm.group(), mine, *all);
    return true;
  }
  auto const mine =
      in_one_piece<Bytes>(me, bytes_at(sent.buffer), sent.count, 1, sent.datatype, send_names);
  if (!mine || mine->size() * static_cast<std::size_t>(size) != all->size() || !apart(*mine, *all))
    return false;
  earl::all_gather(me.process(), comm.group(), *mine, *all);
  return true;
}

void note_all_gather(TypeChecks& checks, Communicator const& comm, Sent const& sent,
                     Received const& received, Counts const* each) {
  bool const in_place = sent.buffer == MPI_IN_PLACE;
  bool const own = !each || !each->counts ? received.count > 0 : each->counts[comm.local->me()] > 0;
  checks.note_collective(
      {in_place ? received.datatype : sent.datatype, in_place ? own : sent.count > 0},
      {received.datatype, true});
}

void all_gather(State& me, Handle on, Sent const& sent, Received const& received,
                Counts const* each = nullptr) {
  Communicator const& comm = me.communicator(on);
  if (comm.inter()) [[unlikely]]
    return all_gather_between(me, comm, sent, received, each);
  auto const size = comm.local->size();
  if (auto* const checks = me.type_checks()) [[unlikely]]
    note_all_gather(*checks, comm, sent, received, each);
  if (!each && gather_equal(me, comm, sent, received)) return;
  Parts<MutableBytes> rooms(me, bytes_at(received.buffer), received.datatype,
                            static_cast<std::size_t>(size), receive_names);
  add_all(rooms, size, received.count, each);
  Contribution mine(me, comm, sent, received, each);
  earl::all_gather(me.process(), comm.group(), mine.apart_from(rooms.range()), rooms.all());
}

/// Likewise.
bool exchange_equal(State& me, Communicator const& comm, Sent const& sent,
                    Received const& received) {
  if (sent.buffer == MPI_IN_PLACE) return false;
  auto const size = comm.local->size();
  auto const in = in_one_piece<MutableBytes>(me, bytes_at(received.buffer), received.count, size,
                                             received.datatype, receive_names);
  auto const out =
      in_one_piece<Bytes>(me, bytes_at(sent.buffer), sent.count, size, sent.datatype, send_names);
  if (!in || !out || in->size() != out->size() || !apart(*out, *in)) return false;
  earl::all_to_all(me.process(), comm.group(), *out, *in);
  return true;
}

void all_to_all(State& me, Handle on, Sent const& sent, Received const& received,
                Counts const* out = nullptr, Counts const* in = nullptr) {
  Communicator const& comm = me.communicator(on);
  if (comm.inter()) [[unlikely]]
    return all_to_all_between(me, comm, sent, received, out, in);
  auto const size = comm.local->size();
  auto const members = static_cast<std::size_t>(size);
  bool const in_place = sent.buffer == MPI_IN_PLACE;
  if (auto* const checks = me.type_checks()) [[unlikely]] {
    CollectiveData const taken{received.datatype, all_have_some(received.count, in, size)};
    CollectiveData const given{sent.datatype, all_have_some(sent.count, out, size)};
    checks->note_collective(in_place ? taken : given, taken);
  }
  if (!in && !out && exchange_equal(me, comm, sent, received)) return;
  Parts<MutableBytes> rooms(me, bytes_at(received.buffer), received.datatype, members,
                            receive_names);
  add_all(rooms, size, received.count, in);
  Parts<Bytes> parts(me, bytes_at(in_place ? received.buffer : sent.buffer),
                     in_place ? received.datatype : sent.datatype, members,
                     in_place ? receive_names : send_names);
  add_all(parts, size, in_place ? received.count : sent.count, in_place ? in : out);
  separate(parts, rooms.range());
  if (!in && !out)
    return earl::all_to_all_equal(me.process(), comm.group(), parts.all(), rooms.all());
  earl::all_to_all(me.process(), comm.group(), parts.all(), rooms.all());
}

/// The arguments of MPI_Alltoallw about one direction.
struct MixedParts {
  int const* counts;
  int const* places;  ///< in bytes
  Handle const* datatypes;
  char const* counts_name;
  char const* places_name;
  char const* datatypes_name;
};

/// Classes ARG, COUNT, TYPE and BUFFER.
template <class Piece>
void add_mixed(State& me, Parts<Piece>& parts, int members, MixedParts const& given_parts) {
  require(given_parts.datatypes, given_parts.datatypes_name);
  require(given_parts.places, given_parts.places_name);
  Counts const counts{&require(given_parts.counts, given_parts.counts_name), given_parts.places,
                      given_parts.counts_name};
  for (int i = 0; i < members; ++i)
    parts.add(committed(me, given_parts.datatypes[i], given_parts.datatypes_name),
              counts.count_of(i), given_parts.places[i]);
}

void all_to_all_mixed(State& me, Handle on, void const* sent, MixedParts const& out, void* received,
                      MixedParts const& in) {
  Communicator const& comm = me.communicator(on);
  auto const size = comm.peers().size();
  auto const members = static_cast<std::size_t>(size);
  bool const in_place = sent == MPI_IN_PLACE && !comm.inter();
  Parts<MutableBytes> rooms(bytes_at(received), members, receive_names);
  add_mixed(me, rooms, size, in);
  Parts<Bytes> parts(bytes_at(in_place ? received : sent), members,
                     in_place ? receive_names : send_names);
  add_mixed(me, parts, size, in_place ? in : out);
  separate(parts, rooms.range());
  if (comm.inter())
    return earl::all_to_all(me.process(), groups_of(comm), parts.all(), rooms.all());
  earl::all_to_all(me.process(), comm.group(), parts.all(), rooms.all());
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::Counts;
using mpi::State;

extern "C" int PMPI_Barrier(MPI_Comm comm) {
  return mpi::call("MPI_Barrier", comm, [&](State& me) {
    auto const& on = me.communicator(comm);
    if (on.inter()) return earl::barrier(me.process(), mpi::groups_of(on));
    earl::barrier(me.process(), on.group());
  });
}
EARL_MPI(Barrier)

extern "C" int PMPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return mpi::call("MPI_Bcast", comm, [&](State& me) {
    auto const& on = me.communicator(comm);
    if (on.inter()) return mpi::broadcast_between(me, on, root, {buffer, count, datatype});
    if (auto* const checks = me.type_checks()) [[unlikely]] {
      bool const gives = on.local->me() == root;
      checks->note_collective({datatype, gives && count > 0}, {datatype, !gives && count > 0});
    }
    auto const data = mpi::incoming(me, buffer, count, datatype, {.buffer = "buffer"});
    earl::broadcast(me.process(), on.group(), mpi::member(on, root), data.pieces);
  });
}
EARL_MPI(Bcast)

extern "C" int PMPI_Gather(void const* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return mpi::call("MPI_Gather", comm, [&](State& me) {
    mpi::gather(me, comm, root, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype});
  });
}
EARL_MPI(Gather)

extern "C" int PMPI_Gatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int const recvcounts[], int const displs[],
                            MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return mpi::call("MPI_Gatherv", comm, [&](State& me) {
    Counts const each{recvcounts, displs, "recvcounts"};
    mpi::gather(me, comm, root, {sendbuf, sendcount, sendtype}, {recvbuf, 0, recvtype}, &each);
  });
}
EARL_MPI(Gatherv)

extern "C" int PMPI_Scatter(void const* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                            MPI_Comm comm) {
  return mpi::call("MPI_Scatter", comm, [&](State& me) {
    mpi::scatter(me, comm, root, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype});
  });
}
EARL_MPI(Scatter)

extern "C" int PMPI_Scatterv(void const* sendbuf, int const sendcounts[], int const displs[],
                             MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return mpi::call("MPI_Scatterv", comm, [&](State& me) {
    Counts const each{sendcounts, displs, "sendcounts"};
    mpi::scatter(me, comm, root, {sendbuf, 0, sendtype}, {recvbuf, recvcount, recvtype}, &each);
  });
}
EARL_MPI(Scatterv)

extern "C" int PMPI_Allgather(void const* sendbuf, int sendcount, MPI_Datatype sendtype,
                              void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return mpi::call("MPI_Allgather", comm, [&](State& me) {
    mpi::all_gather(me, comm, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype});
  });
}
EARL_MPI(Allgather)

extern "C" int PMPI_Allgatherv(void const* sendbuf, int sendcount, MPI_Datatype sendtype,
                               void* recvbuf, int const recvcounts[], int const displs[],
                               MPI_Datatype recvtype, MPI_Comm comm) {
  return mpi::call("MPI_Allgatherv", comm, [&](State& me) {
    Counts const each{recvcounts, displs, "recvcounts"};
    mpi::all_gather(me, comm, {sendbuf, sendcount, sendtype}, {recvbuf, 0, recvtype}, &each);
  });
}
EARL_MPI(Allgatherv)

extern "C" int PMPI_Alltoall(void const* sendbuf, int sendcount, MPI_Datatype sendtype,
                             void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return mpi::call("MPI_Alltoall", comm, [&](State& me) {
    mpi::all_to_all(me, comm, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype});
  });
}
EARL_MPI(Alltoall)

extern "C" int PMPI_Alltoallv(void const* sendbuf, int const sendcounts[], int const sdispls[],
                              MPI_Datatype sendtype, void* recvbuf, int const recvcounts[],
                              int const rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return mpi::call("MPI_Alltoallv", comm, [&](State& me) {
    Counts const out{sendcounts, sdispls, "sendcounts", "sdispls"};
    Counts const in{recvcounts, rdispls, "recvcounts", "rdispls"};
    mpi::all_to_all(me, comm, {sendbuf, 0, sendtype}, {recvbuf, 0, recvtype}, &out, &in);
  });
}
EARL_MPI(Alltoallv)

extern "C" int PMPI_Alltoallw(void const* sendbuf, int const sendcounts[], int const sdispls[],
                              MPI_Datatype const sendtypes[], void* recvbuf, int const recvcounts[],
                              int const rdispls[], MPI_Datatype const recvtypes[], MPI_Comm comm) {
  return mpi::call("MPI_Alltoallw", comm, [&](State& me) {
    mpi::MixedParts const out{sendcounts, sdispls, sendtypes, "sendcounts", "sdispls", "sendtypes"};
    mpi::MixedParts const in{recvcounts, rdispls, recvtypes, "recvcounts", "rdispls", "recvtypes"};
    mpi::all_to_all_mixed(me, comm, sendbuf, out, recvbuf, in);
  });
}
EARL_MPI(Alltoallw)
