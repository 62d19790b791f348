// SPDX-License-Identifier: BSD-3-Clause
/// What this host calls itself.
#pragma once

#include <unistd.h>

#include <array>
#include <string>

namespace earl {

/// With its domain, if it says one. Empty: the system does not tell.
inline std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace earl
