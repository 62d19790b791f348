// SPDX-License-Identifier: BSD-3-Clause
/// Arguments as a shell would have to be given them.
#pragma once

#include <string>
#include <vector>

namespace earl::exec {

std::string quoted(std::string const& word);
/// A command, with blanks between its arguments.
std::string quoted(std::vector<std::string> const& command);

}  // namespace earl::exec
