// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 5.6: communicators of two groups.
#include <cstring>

#include "frontends/mpi/call.hpp"
#include "frontends/mpi/new_communicators.hpp"
#include "generic/collectives/collectives.hpp"

namespace earl::mpi {

namespace {

/// Class COMM.
Communicator& intercommunicator(State& me, Handle comm) {
  Communicator& found = me.communicator(comm);
  if (!found.inter())
    throw MpiError(ErrorClass::comm, "comm is {}, no intercommunicator: pass one of two groups",
                   found.to_text());
  return found;
}

/// The leader of the other group, and how both leaders reach each other.
struct Bridge {
  Handle peer_comm;
  int remote_leader;
  int tag;
};

/// A group as its leader describes it: what the context would be called, then the members.
std::vector<std::uint64_t> described(State& me, Communicator const& local) {
  std::vector<std::uint64_t> words{me.context_names().next()};
  for (auto const rank : local.local->ranks()) words.push_back(index(rank));
  return words;
}

/// Between the leaders, on the way of the program's messages with that tag, which it does not meet.
Buffer exchanged(State& me, Bridge const& bridge, Bytes mine) {
  Communicator const& peers = me.communicator(bridge.peer_comm, "peer_comm");
  Rank const other = me.rank_of(peers, bridge.remote_leader, "remote_leader");
  Context const context = context_of(Space::front_end, id_of(peers.context));
  Tag const tag = tag_of(bridge.tag);
  me.process().send({.dest = other, .context = context, .tag = tag, .mode = Mode::buffered}, mine);
  return me.process()
      .take({.source = other, .context = context, .tag = TagMatch::exactly(tag)})
      .body;
}

std::vector<std::uint64_t> words_in(Buffer const& said) {
  std::vector<std::uint64_t> words(said.size() / sizeof(std::uint64_t));
  if (!words.empty()) std::memcpy(words.data(), said.data(), words.size() * sizeof words[0]);
  return words;
}

/// Collective over `local`: the other group's description; its id is the new context's.
std::vector<std::uint64_t> other_group(State& me, Communicator const& local, int leader,
                                       Bridge const& bridge) {
  std::vector<std::uint64_t> theirs;
  if (local.local->me() == leader) {
    auto const mine = described(me, local);
    theirs = words_in(exchanged(me, bridge, std::as_bytes(std::span{mine})));
    theirs.front() = std::min(theirs.front(), mine.front());
  }
  // Only the leader has bytes to give.
  return words_in(earl::all_gather(me.process(), local.group(), std::as_bytes(std::span{theirs})));
}

Ref<Members> members_of(State& me, std::span<std::uint64_t const> indices) {
  Ranks ranks;
  for (auto const one : indices) ranks.push_back(Rank{static_cast<std::int32_t>(one)});
  return make<Members>(std::move(ranks), me.process().rank());
}

void create(State& me, Communicator const& local, int leader, Bridge const& bridge,
            Handle* result) {
  Handle& newcomm = require(result, "newintercomm");
  if (!local.local->holds(leader))
    throw MpiError(ErrorClass::rank, "local_leader is {}: {} has ranks 0 to {}", leader,
                   local.to_text(), local.local->size() - 1);
  auto const words = other_group(me, local, leader, bridge);
  auto remote = members_of(me, std::span{words}.subspan(1));
  if (!intersection(*local.local, *remote).empty())
    throw MpiError(ErrorClass::comm, "the two groups have members in common: pass others");
  Communicator& made = new_communicator(me, local, local.local, words.front());
  made.remote = std::move(remote);
  newcomm = made.handle;
}

void merge(State& me, Communicator const& inter, bool high, Handle* result) {
  Handle& newcomm = require(result, "newintracomm");
  auto const both = agreed_by_both(me, inter, high);
  bool const first = high == both.high ? both.first : !high;
  Members const& front = first ? *inter.local : *inter.remote;
  Members const& back = first ? *inter.remote : *inter.local;
  newcomm = new_communicator(me, inter, make<Members>(set_union(front, back), me.process().rank()),
                             both.id)
                .handle;
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::require;
using mpi::State;

extern "C" int PMPI_Comm_test_inter(MPI_Comm comm, int* flag) {
  return mpi::call("MPI_Comm_test_inter", comm, [&](State& me) {
    require(flag, "flag") = me.communicator(comm).inter() ? 1 : 0;
  });
}
EARL_MPI(Comm_test_inter)

extern "C" int PMPI_Comm_remote_size(MPI_Comm comm, int* size) {
  return mpi::call("MPI_Comm_remote_size", comm, [&](State& me) {
    require(size, "size") = mpi::intercommunicator(me, comm).remote->size();
  });
}
EARL_MPI(Comm_remote_size)

extern "C" int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group) {
  return mpi::call("MPI_Comm_remote_group", comm, [&](State& me) {
    require(group, "group") = me.open_group(mpi::intercommunicator(me, comm).remote);
  });
}
EARL_MPI(Comm_remote_group)

extern "C" int PMPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm,
                                     int remote_leader, int tag, MPI_Comm* newintercomm) {
  return mpi::call("MPI_Intercomm_create", local_comm, [&](State& me) {
    mpi::create(me, me.intracommunicator(local_comm, "local_comm"), local_leader,
                {peer_comm, remote_leader, tag}, newintercomm);
  });
}
EARL_MPI(Intercomm_create)

extern "C" int PMPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm) {
  return mpi::call("MPI_Intercomm_merge", intercomm, [&](State& me) {
    mpi::merge(me, mpi::intercommunicator(me, intercomm), high != 0, newintracomm);
  });
}
EARL_MPI(Intercomm_merge)
