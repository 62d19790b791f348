// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/leftovers.hpp"

#include <cstdlib>
#include <string_view>

#include "exec/runtime/places.hpp"
#include "frontends/common/unreleased.hpp"
#include "frontends/mpi/state.hpp"

namespace earl::mpi {

namespace {

bool asked_by_user() {
  char const* const value = std::getenv("EARL_MPI_LEFTOVERS");
  return value && std::string_view{value} == "1";
}

/// Gives the objects of one kind to the user, or the debuggers, or both.
class LeftoverReport {
 public:
  explicit LeftoverReport(State& me)
      : me_(me), watch_(me.process().debugger()), printed_(asked_by_user()) {
    if (watch_ && !watch_->tracks_unreleased_objects()) watch_ = nullptr;
  }

  template <class Objects>
  void add(Objects& table, char const* one, std::string_view several) const {
    UnreleasedObjects objects;
    table.each_site([&](void const* site) { objects.add(site); });
    give(objects, one, several);
  }
  void give(UnreleasedObjects const& all, char const* one, std::string_view several) const {
    if (watch_) all.report(*watch_, one);
    if (!printed_) return;
    for (auto const& [site, objects] : all)
      me_.process().print_line(
          fmt::format("mpi: rank {}: MPI_Finalize: {} {} never freed, made at {}", me_.peers().me(),
                      objects, objects == 1 ? one : several, boot::place_of(site)));
  }

 private:
  State& me_;
  Interceptor* watch_;  ///< null: no debugger is interested
  bool printed_;
};

}  // namespace

bool leftovers_wanted(State& me) {
  Interceptor const* const watch = me.process().debugger();
  return asked_by_user() || (watch && watch->tracks_unreleased_objects());
}

void report_leftovers(State& me) {
  const LeftoverReport report(me);
  report.add(me.requests(), "request", "requests");
  report.add(me.datatypes(), "datatype", "datatypes");
  report.add(me.communicators(), "communicator", "communicators");
  report.add(me.groups(), "group", "groups");
  report.add(me.keyvals(), "attribute key", "attribute keys");
  report.add(me.errhandlers(), "error handler", "error handlers");
  report.add(me.operations(), "operation", "operations");
  report.add(me.later().windows, "window", "windows");
  report.add(me.later().infos, "info object", "info objects");
  if (auto const* const site = me.buffered_sends().attached_at()) {
    UnreleasedObjects buffer;
    buffer.add(site);
    report.give(buffer, "attached buffer", "attached buffers");
  }
}

}  // namespace earl::mpi
