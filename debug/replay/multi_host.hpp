// SPDX-License-Identifier: BSD-3-Clause
/// Replay on hosts whose files are not EXEC's: the recording goes along.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl::replay {

extern MultiHostHooks const multi_host;

}  // namespace earl::replay
