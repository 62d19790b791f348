// SPDX-License-Identifier: BSD-3-Clause
/// Launchers that belong to no MPI library: Slurm's srun, and all that speak PMIx.
#pragma once

#include <memory>

#include "generic/seams/backend.hpp"

namespace earl::hosted_backend {

/// The one that has started this process and others; the job runs on shared memory. Blocks until a
/// PMIx server has answered. Null: there is none. Throws Error when a PMIx server cannot be asked.
std::unique_ptr<UserLauncher> find_task_launcher();

}  // namespace earl::hosted_backend
