// SPDX-License-Identifier: BSD-3-Clause
/// gdb around the one process that all ranks of a job live in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earl::exec {

/// The command that runs `command` under gdb, which reads the back end's part "gdb.py" first.
/// Throws Error when gdb is not installed, or this Earl is incomplete.
std::vector<std::string> under_gdb(std::vector<std::string> command, std::string_view back_end);

}  // namespace earl::exec
