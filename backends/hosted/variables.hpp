// SPDX-License-Identifier: BSD-3-Clause
/// The launcher's environment, which a native library gets while it is initialized and nothing else
/// sees.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace earl::hosted_backend {

/// The variables that in_memory() (places.hpp) has written: `NAME=value`, each with a final zero.
/// Throws Error.
std::vector<std::string> read_variables(int memfd);

/// Removes all variables with this prefix, which must not be empty, from the process's environment.
void hide_variables(std::string_view prefix);

}  // namespace earl::hosted_backend
