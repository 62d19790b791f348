// SPDX-License-Identifier: BSD-3-Clause
/// Takes away the room that blocking sends may not count on.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// `earl run --send synchronous`. No argument.
extern Tool const synchronous_tool;

}  // namespace earl
