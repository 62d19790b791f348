// SPDX-License-Identifier: BSD-3-Clause
/// Advice to the user at the end of a run that has failed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exec/launcher/plan.hpp"

namespace earl::exec {

/// Prints at most one line on standard error, for `command` ("earl run"), which got `arguments` and
/// ended with `exit_code`: of options after the program's name or, after a deadlock, a crash, the
/// time limit or, on one host, exit code 1, how to replay the run.
void print_hints(std::string_view command, std::vector<std::string> const& arguments,
                 Plan const& plan, int exit_code);

}  // namespace earl::exec
