// SPDX-License-Identifier: BSD-3-Clause
/// Whether messages went to receives as they may.
#pragma once

#include "debug/analyse/history.hpp"

namespace earl::explore {

/// False: no run can be so that nothing forces. A receive has a message that is behind another one
/// which it accepts, too, and which a later receive has or none; or a later one has a message for
/// which it was waiting. `at_rest`, when all messages have arrived: or it waits for one that is
/// there. A replay can force all of these.
bool matches_in_order(analyse::History const& history, bool at_rest);

}  // namespace earl::explore
