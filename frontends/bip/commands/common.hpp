// SPDX-License-Identifier: BSD-3-Clause
/// Shared by BIP's commands: locations of files, and error handling.
#pragma once

#include <string>
#include <vector>

#include "frontends/bip/configuration.hpp"
#include "generic/base/error.hpp"

namespace earl::bip {

using Arguments = std::vector<std::string>;

inline constexpr int usage_error = 2;

/// Runs `body(arguments)` of a command called `name`, which gives its exit status. An Error is a
/// line on standard error and status 2; -h prints `help`.
int run_command(char const* name, char const* help, int argc, char** argv,
                int (*body)(Arguments const& arguments));

/// "$HOME/.bip/NAME". Throws Error when there is no HOME.
std::string file_in_home(std::string const& name);
/// Writes a configuration, and the folder it is in if that is missing.
void write_configuration(std::string const& file, Configuration const& configuration);

/// Becomes another of Earl's commands ("earl", "earlcc"), which is beside this one, built or
/// installed, or on PATH.
[[noreturn]] void become(std::string const& command, Arguments arguments);

/// The word after an option; throws Error when there is none.
std::string const& value_of(Arguments const& arguments, std::size_t& at);

}  // namespace earl::bip
