/// What commands that run a job share.
#pragma once

#include "exec/plan.hpp"
#include "exec/settings/settings.hpp"

namespace earl::exec {

/// What files and the environment say. What was passed over is told, on standard error.
Settings configured();
/// Runs the job; gives its exit code. Throws Error.
int run_plan(Plan plan);

}  // namespace earl::exec
