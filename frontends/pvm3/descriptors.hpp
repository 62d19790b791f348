// SPDX-License-Identifier: BSD-3-Clause
/// The descriptor of pvm_getfds() must become readable again.
#pragma once

#include "frontends/pvm3/state.hpp"

namespace earl::pvm {

/// A receive or probe found nothing: a program that selects on the descriptor is to look again,
/// soon.
void ring_soon(State& state);

}  // namespace earl::pvm
