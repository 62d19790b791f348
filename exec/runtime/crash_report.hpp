// SPDX-License-Identifier: BSD-3-Clause
/// A process that a hardware fault (a wrong pointer, a division by 0) or abort() ends reports its
/// place.
#pragma once

#include "exec/runtime/line.hpp"

namespace earl::boot {

/// From now on, where the program has not decided otherwise. `line` is used for good. The signal
/// ends the process as it would have done, at the same place.
void report_crashes(ControlLine const& line);

}  // namespace earl::boot
