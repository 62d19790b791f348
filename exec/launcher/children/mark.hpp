// SPDX-License-Identifier: BSD-3-Clause
/// The processes of a job, found by a word in their environment and by a resource limit that is
/// that word as a number: every process that a node starts inherits both, in any group or session,
/// and the limit even if it clears its environment.
#pragma once

#include <sys/resource.h>

#include <string>
#include <string_view>

#include "exec/runtime/job_mark.hpp"

namespace earl::exec {

/// A word that no other job has.
std::string new_mark();

/// NAME=VALUE for the processes of a job: its own mark behind the one it has found, if any.
std::string assignment_of(std::string_view mark);

/// The limit that marks a process: on the time that a program may compute under a real-time
/// scheduler without a pause. Any such value, more than 70,000 years, is as good as none.
inline constexpr auto marking_limit = RLIMIT_RTTIME;
rlim_t limit_of(std::string_view mark);

/// SIGKILL to all processes of this user that have the mark, in the environment they were started
/// with or as their limit, but the caller; again until none is left. Processes that cannot be ended
/// are left.
void end_marked(std::string_view mark);

}  // namespace earl::exec
