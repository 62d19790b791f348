// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/mpi/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

namespace earl::mpi {

namespace {

/// Null: none uses it now.
Communicator const* communicator_in(State& me, Context context) {
  for (auto const* const known : {&me.world(), me.find_communicator(MPI_COMM_SELF)})
    if (known->uses(context)) return known;
  Communicator const* found = nullptr;
  me.communicators().each([&](Ref<Communicator> const& comm) {
    if (comm->uses(context)) found = comm.get();
  });
  me.later().windows.each([&](Ref<Window> const& window) {
    if (window->scope->uses(context)) found = window->scope.get();
  });
  return found;
}

std::string member_text(int world_rank, int there, Communicator const& comm) {
  auto text = fmt::format("rank {}", world_rank);
  if (there == world_rank || there == Members::none) return text;
  return text + number_text(there, comm.to_text());
}

/// Null: it is none's.
Window const* window_in(State& me, Context context) {
  Window const* found = nullptr;
  me.later().windows.each([&](Ref<Window> const& window) {
    if (window->scope->context == context) found = window.get();
  });
  return found;
}

/// "the exclusive lock of rank 1".
std::string lock_text(State& me, Window const& window) {
  if (!window.wanted) return "a lock";
  auto const& scope = *window.scope;
  return fmt::format("the {} lock of {}",
                     window.wanted->type == LockType::shared ? "shared" : "exclusive",
                     peer_text(me, scope, scope.local->rank_of(window.wanted->target)));
}

std::string cause_text(State& me, Window const& window, Selector const& awaited) {
  auto const from = peer_text(me, *window.scope, Rank{awaited.source});
  switch (static_cast<WindowTag>(awaited.low)) {
    case WindowTag::granted:
      return lock_text(me, window);
    case WindowTag::posted:
      return "MPI_Win_post of " + from;
    case WindowTag::completed:
      return "MPI_Win_complete of " + from;
    default:
      return from + " to serve its operations";
  }
}

bool numbers_are_ranks(std::span<Rank const> members) {
  std::int32_t next = 0;
  return std::ranges::all_of(members, [&](Rank rank) { return number(rank) == next++; });
}

}  // namespace

ContextName name_in_reports(State& me, Context context) {
  auto const* const comm = communicator_in(me, context);
  if (!comm) return {};
  bool const plain = comm == &me.world() && comm->name == "MPI_COMM_WORLD" &&
                     numbers_are_ranks(comm->local->ranks());
  if (plain) return {};
  return comm->name_of(context);
}

std::string cause_in_reports(State& me, Selector const& awaited) {
  Context const context{awaited.context};
  if (auto const* const window = window_in(me, context))
    return fmt::format("{} ({})", cause_text(me, *window, awaited),
                       window->scope->name_of(context).label);
  if (space_of(context) != Space::front_end) return {};
  auto const* const peers = communicator_in(me, context_of(Space::user, id_of(context)));
  if (!peers) return {};
  return fmt::format("MPI_Intercomm_create of {} with tag {} on {}",
                     peer_text(me, *peers, Rank{awaited.source}), awaited.low, peers->to_text());
}

std::string caller_text(State const& me, Communicator const& comm) {
  return member_text(me.peers().me(), comm.local->me(), comm);
}

std::string peer_text(State& me, Communicator const& comm, Rank rank) {
  int const world_rank = me.peers().number_of(rank);
  return member_text(world_rank, &comm == &me.world() ? world_rank : comm.peers().number_of(rank),
                     comm);
}

std::string peer_text(State& me, Context context, Rank rank) {
  auto const* const comm = communicator_in(me, context);
  return peer_text(me, comm ? *comm : me.world(), rank);
}

}  // namespace earl::mpi
