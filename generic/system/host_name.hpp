// SPDX-License-Identifier: BSD-3-Clause
/// The name of this host.
#pragma once

#include <unistd.h>

#include <array>
#include <string>

namespace earl {

/// With its domain, if it has one. Empty: the system has none.
inline std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace earl
