// SPDX-License-Identifier: BSD-3-Clause
/// Replay: the run of a recording again, on the same or another back end.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// Its argument is the absolute path of the recording's folder. A process that does something else
/// than recorded ends at that call with exit code 87 and a sentence that names both; where the
/// recording of a process was cut, it ends with a sentence and exit code 85, and the job with what
/// the recorded run ended with, or 85 where that is unknown.
extern Tool const replay_tool;

}  // namespace earl
