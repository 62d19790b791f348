// SPDX-License-Identifier: BSD-3-Clause
/// Ends a job in which no process can continue, and says why.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// Exit code of a job that was ended because of a deadlock.
inline constexpr int deadlock_code = 86;

/// Argument: empty, or a file for the graph, FILE.dot (Graphviz) or FILE.json. `earl run` uses it
/// by default: `watch` ends only jobs that can never continue, and only reports processes that
/// poll, because they may wait for an external event; `say` ends nothing. It costs the processes
/// nothing while they run: its only half is in EXEC.
extern Tool const deadlock_tool;

}  // namespace earl
