// SPDX-License-Identifier: BSD-3-Clause
/// The tool that writes down all that each process does.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// Its argument is the path of a directory: a recording, whose files get events files beside them,
/// or a new directory. Throws Error when the disk is full at the start; later the run continues
/// without events.
extern Tool const events_tool;

}  // namespace earl
