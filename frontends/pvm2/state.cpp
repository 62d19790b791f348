// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/pvm2/state.hpp"

#include "exec/runtime/boot.hpp"

namespace earl::pvm2 {

namespace {

std::size_t const slot = new_slot();

// Before main(), so that the process is known to the job before the program can start anything.
[[gnu::constructor]] void load() {
  boot::load(
      "pvm2",
      "components that a master initiates are started by it: start the master, or `earl run -n "
      "N` for N at once");
}

}  // namespace

State& state_of(Process& me) { return me.state<State>(slot); }

void State::need_exec() {
  auto const* mine = row();
  if (!mine || mine->role != Role::bare) return;
  boot::become_host("pvm2", {});
  // It is in no table that the others have read: they find it as one that was added.
  if (self) directory.assign(self->component, self->instance, me.rank());
}

}  // namespace earl::pvm2
