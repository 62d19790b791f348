// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 5.4: communicators.
#include "frontends/mpi/communicators.hpp"

#include <algorithm>

#include "frontends/mpi/call.hpp"
#include "frontends/mpi/new_communicators.hpp"
#include "frontends/mpi/text.hpp"
#include "generic/contexts.hpp"

namespace earl::mpi {

std::string Communicator::to_text() const {
  if (name.empty()) return fmt::format("{} {:#x}", noun(), handle::bits(handle));
  return printable(name);
}

char const* Communicator::noun() const {
  return handle::is(handle, handle::Origin::made, Kind::window) ? "window" : "communicator";
}

ContextName Communicator::name_of(Context any) const {
  std::span<Rank const> ranks;  // between groups members have no numbers
  if (any != between()) ranks = any == context ? peers().ranks() : local->ranks();
  return {.label = name.empty() ? to_text() : fmt::format("{} {}", noun(), to_text()),
          .members = {ranks.begin(), ranks.end()}};
}

namespace {

GroupRelation worse(GroupRelation one, GroupRelation other) { return std::max(one, other); }

int comparison(Communicator const& one, Communicator const& other) {
  if (&one == &other) return MPI_IDENT;
  if (one.inter() != other.inter()) return MPI_UNEQUAL;
  auto relation = compare(*one.local, *other.local);
  if (one.inter()) relation = worse(relation, compare(*one.remote, *other.remote));
  if (relation == GroupRelation::identical) return MPI_CONGRUENT;
  return relation == GroupRelation::similar ? MPI_SIMILAR : MPI_UNEQUAL;
}

void invalidate(State& me, Communicator& comm) {
  delete_attributes(comm);
  me.communicators().close(comm.handle);
}

void duplicate(State& me, Communicator& comm, Handle* result) {
  Handle& newcomm = require(result, "newcomm");
  auto const id = comm.inter() ? agreed_by_both(me, comm, false).id : agreed_id(me, comm, 0);
  Communicator& copy = new_communicator(me, comm, comm.local, id);
  copy.remote = comm.remote;
  copy.topology = comm.topology;
  newcomm = MPI_COMM_NULL;
  try {
    copy_attributes(comm, copy);
  } catch (MpiError const&) {
    invalidate(me, copy);
    throw;
  }
  newcomm = copy.handle;
}

/// Class GROUP: a process is no member of `comm`.
void check_inside(Communicator const& comm, Members const& members) {
  RankIndex const numbers(*comm.local);
  for (auto const rank : members.ranks())
    if (numbers.of(rank) == Members::none)
      throw MpiError(
          ErrorClass::group,
          "group contains process {}, which is not a member of {}: pass a subset of its group",
          number(rank), comm.to_text());
}

void create(State& me, Communicator const& comm, Handle group, Handle* result) {
  Handle& newcomm = require(result, "newcomm");
  auto const members = me.group(group);
  check_inside(comm, *members);
  newcomm = MPI_COMM_NULL;
  if (comm.inter()) {
    auto const* const part = part_between(me, comm, members);
    if (part) newcomm = part->handle;
    return;
  }
  if (members->size() == 0) return;
  auto const id = agreed_id(me, comm, comm.local->number_of(members->rank_of(0)));
  if (members->me() != Members::none) newcomm = new_communicator(me, comm, members, id).handle;
}

void create_for(State& me, Communicator const& comm, Handle group, int tag, Handle* result) {
  Handle& newcomm = require(result, "newcomm");
  auto const members = me.group(group);
  auto const checked = tag_of(tag);
  check_inside(comm, *members);
  newcomm = MPI_COMM_NULL;
  if (members->me() == Members::none) return;
  auto const id = agreed_id(me, comm, *members, checked);
  newcomm = new_communicator(me, comm, members, id).handle;
}

/// The host of the caller, as a color: the same in a replay elsewhere.
int host_color(State& me, int split_type) {
  if (split_type == MPI_UNDEFINED) return MPI_UNDEFINED;
  if (split_type == MPI_COMM_TYPE_SHARED)
    return static_cast<int>(me.process().table().visible_host(me.process().rank()));
  throw MpiError(ErrorClass::arg, "split_type is {}: pass MPI_COMM_TYPE_SHARED or MPI_UNDEFINED",
                 split_type);
}

void make_parts(State& me, Communicator const& comm, int color, int key, Handle* result) {
  Handle& newcomm = require(result, "newcomm");
  if (color < 0 && color != MPI_UNDEFINED)
    throw MpiError(ErrorClass::arg, "color is {}: pass 0 or more, or MPI_UNDEFINED", color);
  auto const* part = split(me, comm, color, key);
  newcomm = part ? part->handle : MPI_COMM_NULL;
}

void free_communicator(State& me, Handle* comm) {
  Handle& value = require(comm, "comm");
  Communicator& freed = me.communicator(value);
  if (value == MPI_COMM_WORLD || value == MPI_COMM_SELF)
    throw MpiError(ErrorClass::comm, "comm is {}: a predefined communicator cannot be freed",
                   freed.to_text());
  auto const collectives = context_of(Space::collective, freed.collective_id);
  auto const between = freed.between();
  invalidate(me, freed);
  me.process().contexts().remove(collectives);
  me.process().contexts().remove(between);
  value = MPI_COMM_NULL;
}

void set_name(Communicator& comm, char const* name) {
  comm.name.assign(&require(name, "comm_name"));
  if (comm.name.size() >= MPI_MAX_OBJECT_NAME) comm.name.resize(MPI_MAX_OBJECT_NAME - 1);
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::require;
using mpi::State;

extern "C" int PMPI_Comm_size(MPI_Comm comm, int* size) {
  return mpi::call("MPI_Comm_size", comm,
                   [&](State& me) { require(size, "size") = me.communicator(comm).local->size(); });
}
EARL_MPI(Comm_size)

extern "C" int PMPI_Comm_rank(MPI_Comm comm, int* rank) {
  return mpi::call("MPI_Comm_rank", comm,
                   [&](State& me) { require(rank, "rank") = me.communicator(comm).local->me(); });
}
EARL_MPI(Comm_rank)

extern "C" int PMPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int* result) {
  return mpi::call("MPI_Comm_compare", comm1, [&](State& me) {
    require(result, "result") =
        mpi::comparison(me.communicator(comm1, "comm1"), me.communicator(comm2, "comm2"));
  });
}
EARL_MPI(Comm_compare)

extern "C" int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
  return mpi::call("MPI_Comm_dup", comm,
                   [&](State& me) { mpi::duplicate(me, me.communicator(comm), newcomm); });
}
EARL_MPI(Comm_dup)

extern "C" int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  return mpi::call("MPI_Comm_create", comm,
                   [&](State& me) { mpi::create(me, me.communicator(comm), group, newcomm); });
}
EARL_MPI(Comm_create)

extern "C" int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  return mpi::call("MPI_Comm_split", comm, [&](State& me) {
    mpi::make_parts(me, me.communicator(comm), color, key, newcomm);
  });
}
EARL_MPI(Comm_split)

extern "C" int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info,
                                    MPI_Comm* newcomm) {
  return mpi::call("MPI_Comm_split_type", comm, [&](State& me) {
    auto const& parent = me.intracommunicator(comm);
    mpi::make_parts(me, parent, mpi::host_color(me, split_type), key, newcomm);
  });
}
EARL_MPI(Comm_split_type)

extern "C" int PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  return mpi::call("MPI_Comm_create_group", comm, [&](State& me) {
    mpi::create_for(me, me.intracommunicator(comm), group, tag, newcomm);
  });
}
EARL_MPI(Comm_create_group)

extern "C" int PMPI_Comm_free(MPI_Comm* comm) {
  return mpi::call("MPI_Comm_free", comm ? *comm : MPI_COMM_NULL,
                   [&](State& me) { mpi::free_communicator(me, comm); });
}
EARL_MPI(Comm_free)

extern "C" int PMPI_Comm_set_name(MPI_Comm comm, char const* comm_name) {
  return mpi::call("MPI_Comm_set_name", comm,
                   [&](State& me) { mpi::set_name(me.communicator(comm), comm_name); });
}
EARL_MPI(Comm_set_name)

extern "C" int PMPI_Comm_get_name(MPI_Comm comm, char* comm_name, int* resultlen) {
  return mpi::call("MPI_Comm_get_name", comm, [&](State& me) {
    mpi::write_text(comm_name, resultlen, me.communicator(comm).name, MPI_MAX_OBJECT_NAME);
  });
}
EARL_MPI(Comm_get_name)
