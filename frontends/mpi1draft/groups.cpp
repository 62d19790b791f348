// SPDX-License-Identifier: BSD-3-Clause
/// Proposal, 3.2: groups and group contexts.
#include <algorithm>
#include <cstring>

#include "frontends/mpi1draft/call.hpp"
#include "frontends/mpi1draft/include/mpi1.h"
#include "generic/collectives/collectives.hpp"

namespace earl::mpi1draft {

namespace {

/// Each member's message when a group is partitioned.
struct Share {
  int key = 0;
  int gid = 0;  ///< the GID that it would give a group of its own
};

/// The numbers that members have said, one after the other.
std::vector<int> numbers_in(Buffer const& said) {
  std::vector<int> numbers(said.size() / sizeof(int));
  if (!numbers.empty()) std::memcpy(numbers.data(), said.data(), numbers.size() * sizeof(int));
  return numbers;
}

/// The processes in `plist`, the caller among them, none twice.
Members listed(State& me, int nprocs, int const* plist) {
  if (nprocs < 1 || !plist) throw me.no_process(nprocs < 1 ? nprocs : -1);
  Members group;
  for (int i = 0; i < nprocs; ++i) {
    const Rank rank = me.rank_of(plist[i]);
    bool const twice = std::find(group.ranks.begin(), group.ranks.end(), rank) != group.ranks.end();
    if (twice || !me.peers().holds(me.peers().number_of(rank))) throw me.no_process(plist[i]);
    if (rank == me.process().rank()) group.me = static_cast<std::size_t>(i);
    group.ranks.push_back(rank);
  }
  if (group.ranks[group.me] != me.process().rank())
    throw me.no_process(me.number_of(me.process().rank()));
  return group;
}

/// All have said a GID and their lists: the list of each must be the caller's. Status 1 or 5.
int agreed_gid(State& me, Members const& group, int nprocs, int const* plist) {
  std::vector<int> mine{me.next_gid()};
  mine.insert(mine.end(), plist, plist + nprocs);
  // Members agree on the set of processes, or they would not find one another.
  auto sorted = group.ranks;
  std::sort(sorted.begin(), sorted.end());
  auto const here = std::find(sorted.begin(), sorted.end(), me.process().rank());
  auto const said =
      numbers_in(earl::all_gather(me.process(),
                                  {.members = sorted,
                                   .me = static_cast<std::size_t>(here - sorted.begin()),
                                   .context = agreement_of(sorted)},
                                  std::as_bytes(std::span{mine})));
  for (auto one = said.begin(); one != said.end(); one += nprocs + 1)
    if (!std::equal(plist, plist + nprocs, one + 1)) throw me.no_process(one[1]);
  auto const first = std::find(sorted.begin(), sorted.end(), group.ranks.front());
  return said[static_cast<std::size_t>(first - sorted.begin()) *
              (static_cast<std::size_t>(nprocs) + 1)];
}

int keep(State& me, Members group) {
  int const gid = group.gid;
  if (group.me == 0) me.gid_given();
  me.scopes().add(std::move(group));
  return gid;
}

int defng(State& me, int nprocs, int const* plist) {
  Members group = listed(me, nprocs, plist);
  group.gid = agreed_gid(me, group, nprocs, plist);
  return keep(me, std::move(group));
}

int partg(State& me, int gid, int key) {
  Members const& whole = me.scopes().find(gid);
  const Share mine{.key = key, .gid = me.next_gid()};
  auto const said = earl::all_gather(me.process(), whole.group(), bytes_of(mine));
  Members part;
  for (std::size_t i = 0; i < whole.ranks.size(); ++i) {
    Share one;
    std::memcpy(&one, said.data() + i * sizeof one, sizeof one);
    if (one.key != key) continue;
    if (part.ranks.empty()) part.gid = one.gid;
    if (i == whole.me) part.me = part.ranks.size();
    part.ranks.push_back(whole.ranks[i]);
  }
  return keep(me, std::move(part));
}

int pushg(State& me, int gid) {
  me.scopes().find(gid);
  me.none_outstanding(false);
  me.scopes().push_group(gid);
  return me.scopes().current().size();
}

int popg(State& me) {
  if (!me.scopes().at_top()) me.none_outstanding(true);
  return me.scopes().pop_group();
}

int freeg(State& me, int gid) {
  if (gid == all) throw DraftError(Status::bad_gid, "ALL cannot be freed");
  me.scopes().free(gid);
  return 0;
}

int syncg(State& me, int gid) {
  earl::barrier(me.process(), me.scopes().find(gid).group());
  return 0;
}

int getid(State& me, int gid) {
  auto const* group = me.scopes().find_or_null(gid);
  return group ? static_cast<int>(group->me) : -1;
}

int infog(State& me, int gid, int maxlis, int* plist) {
  Members const& group = me.scopes().find(gid);
  if (maxlis < 0 || (maxlis > 0 && !plist))
    throw DraftError(Status::bad_size, "maxlis is {}: pass room for all process numbers", maxlis);
  auto const shown = static_cast<std::size_t>(std::min(maxlis, group.size()));
  for (std::size_t i = 0; i < shown; ++i) plist[i] = me.number_of(group.ranks[i]);
  return group.size();
}

}  // namespace
}  // namespace earl::mpi1draft

namespace draft = earl::mpi1draft;
using draft::Integer;

extern "C" int MPI_DEFNG(int nprocs, int const* plist) {
  return draft::call("MPI_DEFNG", draft::defng, nprocs, plist);
}
extern "C" int mpi_defng_(Integer nprocs, int const* plist) {
  return draft::call("MPI_DEFNG", draft::defng, nprocs, plist);
}
EARL_DRAFT_FORTRAN(mpi_defng);

extern "C" int MPI_PARTG(int gid, int key) {
  return draft::call("MPI_PARTG", draft::partg, gid, key);
}
extern "C" int mpi_partg_(Integer gid, Integer key) {
  return draft::call("MPI_PARTG", draft::partg, gid, key);
}
EARL_DRAFT_FORTRAN(mpi_partg);

extern "C" int MPI_PUSHG(int gid) { return draft::call("MPI_PUSHG", draft::pushg, gid); }
extern "C" int mpi_pushg_(Integer gid) { return draft::call("MPI_PUSHG", draft::pushg, gid); }
EARL_DRAFT_FORTRAN(mpi_pushg);

extern "C" int MPI_POPG(void) { return draft::call("MPI_POPG", draft::popg); }
extern "C" int mpi_popg_(void) { return draft::call("MPI_POPG", draft::popg); }
EARL_DRAFT_FORTRAN(mpi_popg);

extern "C" int MPI_FREEG(int gid) { return draft::call("MPI_FREEG", draft::freeg, gid); }
extern "C" int mpi_freeg_(Integer gid) { return draft::call("MPI_FREEG", draft::freeg, gid); }
EARL_DRAFT_FORTRAN(mpi_freeg);

extern "C" int MPI_SYNCG(int gid) { return draft::call("MPI_SYNCG", draft::syncg, gid); }
extern "C" int mpi_syncg_(Integer gid) { return draft::call("MPI_SYNCG", draft::syncg, gid); }
EARL_DRAFT_FORTRAN(mpi_syncg);

extern "C" int MPI_GETID(int gid) { return draft::call("MPI_GETID", draft::getid, gid); }
extern "C" int mpi_getid_(Integer gid) { return draft::call("MPI_GETID", draft::getid, gid); }
EARL_DRAFT_FORTRAN(mpi_getid);

extern "C" int MPI_INFOG(int gid, int maxlis, int* plist) {
  return draft::call("MPI_INFOG", draft::infog, gid, maxlis, plist);
}
extern "C" int mpi_infog_(Integer gid, Integer maxlis, int* plist) {
  return draft::call("MPI_INFOG", draft::infog, gid, maxlis, plist);
}
EARL_DRAFT_FORTRAN(mpi_infog);
