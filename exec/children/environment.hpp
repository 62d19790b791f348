/// The environment of a child, as a list of NAME=VALUE.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exec/plan.hpp"

namespace earl::exec {

std::vector<std::string> own_environment();
/// Adds NAME=VALUE or replaces what NAME was.
void set(std::vector<std::string>& environment, std::string_view assignment);
void unset(std::vector<std::string>& environment, std::string_view name);
std::optional<std::string> value_of(std::vector<std::string> const& environment,
                                    std::string_view name);

/// What a process of `app` gets of EXEC's environment, and what the user gave it.
std::vector<std::string> environment_of(App const& app);

/// The program as the user typed it, with its own options; several with `-n N` before each and `:`
/// between them.
std::vector<std::string> command_of(Plan const& plan);

}  // namespace earl::exec
