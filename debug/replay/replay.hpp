// SPDX-License-Identifier: BSD-3-Clause
/// Replay: the run of a recording again, on the same or another back end.
#pragma once

#include <string>

#include "generic/seams/tool.hpp"
#include "generic/system/descriptor.hpp"

namespace earl {

/// Its argument is the absolute path of the recording. A process that diverges ends at that call
/// with exit code 87 and a message that names both operations; where the recording of a process was
/// cut, it ends with a message and exit code 85, and the job with the recorded run's exit code, or
/// 85 if that is unknown.
extern Tool const replay_tool;

/// The standard input of a recorded run, to be read from its start. Throws Error.
Descriptor recorded_input(std::string const& folder);

}  // namespace earl
