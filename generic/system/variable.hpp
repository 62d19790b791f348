// SPDX-License-Identifier: BSD-3-Clause
/// Settings in the environment.
#pragma once

#include <cstdlib>

namespace earl {

/// The value of an environment variable; null: it is not set, or empty. Valid until the environment
/// is changed.
inline char const* variable(char const* name) {
  char const* const value = std::getenv(name);
  return value && *value ? value : nullptr;
}

}  // namespace earl
