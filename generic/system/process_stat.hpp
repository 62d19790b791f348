// SPDX-License-Identifier: BSD-3-Clause
/// The contents of /proc for a process.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace earl {

/// Field `number` of /proc/PID/stat as its manual page counts them, from 3 on. Null: there is no
/// such process any more, or no such field.
std::optional<std::string> stat_field(pid_t pid, int number);

/// Numbers of its descriptors are below this. Null: there is no such process, or it may not be
/// asked.
std::optional<int> end_of_descriptors(pid_t pid);

std::optional<pid_t> parent_of(pid_t pid);
/// When it started, in the system's ticks since it did: with its pid that means one process.
std::optional<std::string> start_of(pid_t pid);

}  // namespace earl
