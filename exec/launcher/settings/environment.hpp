// SPDX-License-Identifier: BSD-3-Clause
/// The environment of a child, as a list of NAME=VALUE.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exec/launcher/plan.hpp"

namespace earl::exec {

std::vector<std::string> own_environment();
/// EXEC's own, or the recorded one.
std::vector<std::string> base_environment(Plan const& plan);
/// EXEC's environment for programs: without the variables that are Earl's own.
std::vector<std::string> program_environment();
/// For a replay: the recorded environment, with Earl's own variables of today.
std::vector<std::string> recorded_environment(std::vector<std::string> kept);
/// Adds NAME=VALUE or replaces NAME's value.
void set(std::vector<std::string>& environment, std::string_view assignment);
void unset(std::vector<std::string>& environment, std::string_view name);
std::optional<std::string> value_of(std::vector<std::string> const& environment,
                                    std::string_view name);

/// The base environment of a process of `app`, with the user's changes.
std::vector<std::string> environment_of(App const& app, Plan const& plan);

/// The program as the user typed it, with its own options; several with `-n N` before each and `:`
/// between them.
std::vector<std::string> command_of(Plan const& plan);

}  // namespace earl::exec
