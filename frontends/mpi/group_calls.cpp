// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 5.3: groups.
#include "frontends/mpi/call.hpp"

namespace earl::mpi {

namespace {

int result_of(GroupRelation relation) {
  if (relation == GroupRelation::identical) return MPI_IDENT;
  return relation == GroupRelation::similar ? MPI_SIMILAR : MPI_UNEQUAL;
}

void translate(State& me, Handle from, std::span<int const> ranks, Handle to, int* results) {
  auto const group = me.group(from, "group1");
  RankIndex const numbers(*me.group(to, "group2"));
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    results[i] = MPI_PROC_NULL;
    if (ranks[i] == MPI_PROC_NULL) continue;
    if (!group->holds(ranks[i]))
      throw MpiError(ErrorClass::rank, "ranks1[{}] is {}: group1 has ranks 0 to {}", i, ranks[i],
                     group->size() - 1);
    int const number = numbers.of(group->rank_of(ranks[i]));
    results[i] = number == Members::none ? MPI_UNDEFINED : number;
  }
}

/// Opens the group of the members that choose(one, other) returns.
template <class Choose>
void combine(State& me, Handle one, Handle other, Handle* result, Choose const& choose) {
  Handle& made = require(result, "newgroup");
  made = me.open_group(choose(*me.group(one, "group1"), *me.group(other, "group2")));
}

template <class Choose>
void choose(State& me, Handle group, std::span<int const> ranks, Handle* result,
            Choose const& chosen) {
  Handle& made = require(result, "newgroup");
  made = me.open_group(chosen(*me.group(group), ranks));
}

template <class Choose>
void choose_ranges(State& me, Handle group, int n, int ranges[][3], Handle* result,
                   Choose const& chosen) {
  Handle& made = require(result, "newgroup");
  auto const members = me.group(group);
  checked_array(n, ranges, "ranges");
  auto const numbers = expand_ranges(*members, n, ranges);
  made = me.open_group(chosen(*members, numbers));
}

void free_group(State& me, Handle* group) {
  Handle& value = require(group, "group");
  me.group(value);
  if (value != MPI_GROUP_EMPTY) me.groups().close(value);
  value = MPI_GROUP_NULL;
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::checked_array;
using mpi::require;
using mpi::State;

extern "C" int PMPI_Group_size(MPI_Group group, int* size) {
  return mpi::call("MPI_Group_size", MPI_COMM_WORLD,
                   [&](State& me) { require(size, "size") = me.group(group)->size(); });
}
EARL_MPI(Group_size)

extern "C" int PMPI_Group_rank(MPI_Group group, int* rank) {
  return mpi::call("MPI_Group_rank", MPI_COMM_WORLD, [&](State& me) {
    int const number = me.group(group)->me();
    require(rank, "rank") = number == mpi::Members::none ? MPI_UNDEFINED : number;
  });
}
EARL_MPI(Group_rank)

extern "C" int PMPI_Group_translate_ranks(MPI_Group group1, int n, int const* ranks1,
                                          MPI_Group group2, int* ranks2) {
  return mpi::call("MPI_Group_translate_ranks", MPI_COMM_WORLD, [&](State& me) {
    if (n > 0) require(ranks2, "ranks2");
    mpi::translate(me, group1, checked_array(n, ranks1, "ranks1"), group2, ranks2);
  });
}
EARL_MPI(Group_translate_ranks)

extern "C" int PMPI_Group_compare(MPI_Group group1, MPI_Group group2, int* result) {
  return mpi::call("MPI_Group_compare", MPI_COMM_WORLD, [&](State& me) {
    require(result, "result") =
        mpi::result_of(compare(*me.group(group1, "group1"), *me.group(group2, "group2")));
  });
}
EARL_MPI(Group_compare)

extern "C" int PMPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
  return mpi::call("MPI_Comm_group", comm, [&](State& me) {
    require(group, "group") = me.open_group(me.communicator(comm).local);
  });
}
EARL_MPI(Comm_group)

extern "C" int PMPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return mpi::call("MPI_Group_union", MPI_COMM_WORLD,
                   [&](State& me) { mpi::combine(me, group1, group2, newgroup, mpi::set_union); });
}
EARL_MPI(Group_union)

extern "C" int PMPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return mpi::call("MPI_Group_intersection", MPI_COMM_WORLD, [&](State& me) {
    mpi::combine(me, group1, group2, newgroup, mpi::intersection);
  });
}
EARL_MPI(Group_intersection)

extern "C" int PMPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return mpi::call("MPI_Group_difference", MPI_COMM_WORLD,
                   [&](State& me) { mpi::combine(me, group1, group2, newgroup, mpi::difference); });
}
EARL_MPI(Group_difference)

extern "C" int PMPI_Group_incl(MPI_Group group, int n, int const* ranks, MPI_Group* newgroup) {
  return mpi::call("MPI_Group_incl", MPI_COMM_WORLD, [&](State& me) {
    mpi::choose(me, group, checked_array(n, ranks, "ranks"), newgroup, mpi::included);
  });
}
EARL_MPI(Group_incl)

extern "C" int PMPI_Group_excl(MPI_Group group, int n, int const* ranks, MPI_Group* newgroup) {
  return mpi::call("MPI_Group_excl", MPI_COMM_WORLD, [&](State& me) {
    mpi::choose(me, group, checked_array(n, ranks, "ranks"), newgroup, mpi::excluded);
  });
}
EARL_MPI(Group_excl)

extern "C" int PMPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group* newgroup) {
  return mpi::call("MPI_Group_range_incl", MPI_COMM_WORLD, [&](State& me) {
    mpi::choose_ranges(me, group, n, ranges, newgroup, mpi::included);
  });
}
EARL_MPI(Group_range_incl)

extern "C" int PMPI_Group_range_excl(MPI_Group group, int n, int ranges[][3], MPI_Group* newgroup) {
  return mpi::call("MPI_Group_range_excl", MPI_COMM_WORLD, [&](State& me) {
    mpi::choose_ranges(me, group, n, ranges, newgroup, mpi::excluded);
  });
}
EARL_MPI(Group_range_excl)

extern "C" int PMPI_Group_free(MPI_Group* group) {
  return mpi::call("MPI_Group_free", MPI_COMM_WORLD,
                   [&](State& me) { mpi::free_group(me, group); });
}
EARL_MPI(Group_free)
