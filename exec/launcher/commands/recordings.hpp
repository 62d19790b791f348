// SPDX-License-Identifier: BSD-3-Clause
/// Where recordings go that the user has not named, and the list of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exec/launcher/commands/command_line.hpp"

namespace earl::exec {

inline constexpr char const* recordings_folder = "earl-recordings";

/// The first of earl-recordings/PROGRAM-1, -2, ... that does not exist.
std::string next_recording(std::string const& program);
/// Makes earl-recordings/latest lead to `recording`, which lies there. Throws Error.
void note_latest(std::string const& recording);
/// Parses `words`, whose operand is a recording, and returns it: the target of
/// earl-recordings/latest when none is named. Throws UsageError when there is none.
std::string parse_recording(CommandLine& line, std::string_view command,
                            std::vector<std::string> const& words);

}  // namespace earl::exec
