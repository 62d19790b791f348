// SPDX-License-Identifier: BSD-3-Clause
/// Contents: what each process receives, for a replay of one process alone.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// Its argument is the folder of a recording; used in a replay of it.
extern Tool const contents_tool;

}  // namespace earl
