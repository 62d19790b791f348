// SPDX-License-Identifier: BSD-3-Clause
/// The virtual machine of this user, for tasks that were started without an EXEC: such a task is
/// alone until it needs others.
#pragma once

#include <string_view>

#include "frontends/pvm3/state.hpp"

namespace earl::pvm {

/// A job of one: there is no EXEC.
inline bool alone(State const& state) {
  auto const* mine = state.row();
  return !mine || mine->role == Role::bare;
}

/// Makes EXEC, for which this task is new, count the times that it has left and enrolled again:
/// its tid depends on that.
void send_prior_returns(State& state);

/// Enrols for a call that only a virtual machine can serve: a task that is alone starts one. False:
/// there was one.
bool need_machine(State& state);

// --- contexts: of a task that is alone State::contexts, of others entries of the job's store

/// The beginning of their names there, which are no part of the mailbox.
inline constexpr std::string_view context_class = "###_EARL_PVM_CONTEXTS_###";
/// The store has them from now on.
void move_contexts(State& state);

}  // namespace earl::pvm
