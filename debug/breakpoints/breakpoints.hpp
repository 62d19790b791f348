// SPDX-License-Identifier: BSD-3-Clause
/// The debugger that stops a process at a breakpoint.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// Its argument is a breakpoint (parse_breakpoint()).
extern Tool const break_tool;

}  // namespace earl
