// SPDX-License-Identifier: BSD-3-Clause
/// The EXEC halves of the debuggers that a plan asks for.
#pragma once

#include <vector>

#include "exec/launcher/job/interceptors.hpp"
#include "exec/launcher/plan.hpp"
#include "exec/launcher/programs/programs.hpp"

namespace earl::exec {

/// Adds them, and the reporter of deadlocks unless the plan turns it off or one of them judges
/// deadlocks alone. Throws UsageError when there is no such debugger, Error when one cannot start.
void add_interceptors(JobInterceptors& interceptors, Plan const& plan,
                      std::vector<Program> const& programs);

}  // namespace earl::exec
