// SPDX-License-Identifier: BSD-3-Clause
/// Makes blocking sends synchronous: a program must not rely on their buffering.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// `earl run --send synchronous`. No argument.
extern Tool const synchronous_tool;

}  // namespace earl
