// SPDX-License-Identifier: BSD-3-Clause
/// Full-order recording: every outcome that depends on timing, as it happens.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// Its argument is the absolute path of the recording's folder, which its EXEC half makes. When the
/// disk is full at the start it throws Error; later the run goes on unrecorded, with a sentence on
/// stderr and a note in the trace.
extern Tool const record_tool;

}  // namespace earl
