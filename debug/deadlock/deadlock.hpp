// SPDX-License-Identifier: BSD-3-Clause
/// Ends a job in which no process can go on, and says why.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// Exit code of a job that was ended because of a deadlock.
inline constexpr int deadlock_code = 86;

/// Argument: empty, or a file for the graph, FILE.dot (Graphviz) or FILE.json. As `earl run` uses
/// it by default: `watch` ends only what can never go on and just reports it where a process asks
/// again and again, who may wait for the outside world; `say` ends nothing. Costs the processes
/// nothing while they move: its only half is in EXEC.
extern Tool const deadlock_tool;

}  // namespace earl
