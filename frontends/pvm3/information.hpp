// SPDX-License-Identifier: BSD-3-Clause
/// The tasks and hosts of the virtual machine.
#pragma once

#include "frontends/pvm3/state.hpp"

namespace earl::pvm {

/// The tasks on a host (`where` a host's id; 0: on all), or one task.
TaskList tasks_at(State& state, int where);

}  // namespace earl::pvm
