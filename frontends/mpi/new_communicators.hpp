// SPDX-License-Identifier: BSD-3-Clause
/// Making communicators: their members agree on what its context is called.
#pragma once

#include "frontends/mpi/state.hpp"

namespace earl::mpi {

/// Collective over `comm`: a name for a context that its member `namer` gives.
std::uint64_t agreed_id(State& me, Communicator const& comm, int namer);
/// Among `members` alone, of `comm`: the first one names a context. Calls of other members or with
/// other tags do not meet.
std::uint64_t agreed_id(State& me, Communicator const& comm, Members const& members, Tag tag);
/// Collective over an intercommunicator: each side gets what the first member of the other has
/// sent.
struct BothSides {
  std::uint64_t id = 0;  ///< a new context's
  bool high = false;     ///< of the other group
  bool first = false;    ///< this group comes first where both say the same
};
BothSides agreed_by_both(State& me, Communicator const& inter, bool high);

/// One of `members`, with the error handler of `parent`; it has a handle.
Communicator& new_communicator(State& me, Communicator const& parent, Ref<Members> members,
                               std::uint64_t id);

/// Collective over `comm`: those of the same color, in the order of their keys. Null: no color; of
/// an intercommunicator also one that the other group does not have.
Communicator* split(State& me, Communicator const& comm, int color, int key);
/// Collective over an intercommunicator: between `members`, of the own group, and those that the
/// other group names. Null: the caller is none of them, or one side has none.
Communicator* part_between(State& me, Communicator const& inter, Ref<Members> members);
/// Collective over `comm`: of its first `count` members. Null for others.
Communicator* first_members(State& me, Communicator const& comm, int count);

}  // namespace earl::mpi
