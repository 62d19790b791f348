// SPDX-License-Identifier: BSD-3-Clause
/// Replay on hosts that do not see EXEC's files: the recording is sent along.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl::replay {

extern MultiHostHooks const multi_host;

}  // namespace earl::replay
