// SPDX-License-Identifier: BSD-3-Clause
/// How many processors there are for a job.
#pragma once

#include <cstdint>

namespace earl {

/// How many processors the caller may run on and its cgroup has time for; at least 1. Asked by
/// EXEC, for the job: a process that has pinned itself to one processor is not for that short of
/// them.
std::uint32_t usable_processors();

}  // namespace earl
