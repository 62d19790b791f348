// SPDX-License-Identifier: BSD-3-Clause
/// The tool that writes down all that each process does.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// Its argument is the path of a folder: a recording, beside whose files its own go, or one that is
/// made. Throws Error when the disk is full at the start; later the run goes on without events.
extern Tool const events_tool;

}  // namespace earl
