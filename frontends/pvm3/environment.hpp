// SPDX-License-Identifier: BSD-3-Clause
/// The environment of the calling task, as pvm_spawn() and pvm_export() use it. Read at each call:
/// programs change it with putenv() in between.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earl::pvm {

/// Where Debian's PVM is.
inline constexpr char const* debian_root = "/usr/lib/pvm3";

/// Empty when it is not set.
std::string variable(char const* name);
void set_variable(char const* name, std::string const& value);

/// The pieces between colons; empty ones are left out.
std::vector<std::string> split(std::string_view list);
std::string join(std::vector<std::string> const& pieces);

/// Where pvm_spawn() looks for programs: PVM_PATH, else the two folders of PVM's defaults.
std::vector<std::string> program_folders();

/// NAME=VALUE for PVM_EXPORT and for each variable it names that is set.
std::vector<std::string> exported_variables();

}  // namespace earl::pvm
