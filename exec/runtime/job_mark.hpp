// SPDX-License-Identifier: BSD-3-Clause
/// The environment variable by which the processes of a job are found.
#pragma once

#include <string_view>

namespace earl::exec {

/// Its value names the job. A job that a process of a job starts adds its own value to the existing
/// one.
inline constexpr std::string_view mark_variable = "EARL_JOB";

}  // namespace earl::exec
