// SPDX-License-Identifier: BSD-3-Clause
/// Shared by commands that run a job.
#pragma once

#include <vector>

#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/plan.hpp"
#include "exec/launcher/programs/programs.hpp"
#include "exec/launcher/settings/settings.hpp"

namespace earl::exec {

/// The settings of files and the environment. Ignored ones are reported on standard error.
Settings configured();
/// Runs the job; gives its exit code. Throws Error.
int run_plan(Plan plan);

/// Becomes one process of a recorded run, without the others. Throws Error.
[[noreturn]] int replay_alone(ReplayPlan const& replay);

/// A host program that is not joined to the cube that getcube has got in this shell gets one of the
/// same size; a sentence says so.
void take_shells_cube(Plan& plan, std::vector<Program> const& programs);

}  // namespace earl::exec
