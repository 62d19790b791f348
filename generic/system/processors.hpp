// SPDX-License-Identifier: BSD-3-Clause
/// The number of CPUs for a job.
#pragma once

#include <cstdint>

namespace earl {

/// The number of CPUs that the caller may run on and its cgroup has time for; at least 1. EXEC
/// calls it for the job: a process that has pinned itself to one CPU does not make the job short of
/// them.
std::uint32_t usable_processors();

}  // namespace earl
