// SPDX-License-Identifier: BSD-3-Clause
/// What pvm_getfds() gave away must become readable again.
#pragma once

#include "frontends/pvm3/state.hpp"

namespace earl::pvm {

/// A receive or probe found nothing: a program that selects on the descriptor is to look again,
/// soon.
void ring_soon(State& state);

}  // namespace earl::pvm
