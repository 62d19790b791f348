// SPDX-License-Identifier: BSD-3-Clause
/// A debugger that does nothing, for authors to copy.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// `earl run --tool empty`. No argument.
extern Tool const empty_tool;

}  // namespace earl
