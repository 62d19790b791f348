// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/leftovers.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "exec/runtime/places.hpp"
#include "frontends/mpi/state.hpp"

namespace earl::mpi {

namespace {

/// How many objects each call of the program has left, in the order of their handles.
using Makers = std::vector<std::pair<void const*, int>>;

void count(Makers& makers, void const* site) {
  for (auto& [known, objects] : makers)
    if (known == site) return static_cast<void>(++objects);
  makers.emplace_back(site, 1);
}

void report_makers(State& me, Makers const& makers, std::string_view one,
                   std::string_view several) {
  for (auto const& [site, objects] : makers)
    me.process().say(fmt::format("mpi: rank {}: MPI_Finalize: {} {} never freed, made at {}",
                                 me.peers().me(), objects, objects == 1 ? one : several,
                                 boot::place_of(site)));
}

template <class Objects>
void report(State& me, Objects& table, std::string_view one, std::string_view several) {
  Makers makers;
  table.each_site([&](void const* site) { count(makers, site); });
  report_makers(me, makers, one, several);
}

}  // namespace

bool leftovers_wanted() {
  char const* const value = std::getenv("EARL_MPI_LEFTOVERS");
  return value && std::string_view{value} == "1";
}

void report_leftovers(State& me) {
  report(me, me.requests(), "request", "requests");
  report(me, me.datatypes(), "datatype", "datatypes");
  report(me, me.communicators(), "communicator", "communicators");
  report(me, me.groups(), "group", "groups");
  report(me, me.operations(), "operation", "operations");
  if (auto const* const site = me.buffered_sends().attached_at())
    report_makers(me, Makers{{site, 1}}, "attached buffer", "attached buffers");
}

}  // namespace earl::mpi
