// SPDX-License-Identifier: BSD-3-Clause
/// Functions that one chapter's routines need of another's.
#pragma once

#include "frontends/pvm3/state.hpp"

namespace earl::pvm {

/// pvm_initsend: the new active send buffer, or PvmBadParam.
int init_send(State& state, int encoding);

}  // namespace earl::pvm
