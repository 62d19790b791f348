// SPDX-License-Identifier: BSD-3-Clause
/// A host that the user names for a job.
#pragma once

#include <cstdint>
#include <string>

namespace earl::exec {

struct RequestedHost {
  std::string name;
  std::uint32_t slots = 1;  ///< processes it takes before the next host's turn

  bool operator==(RequestedHost const&) const = default;
};

}  // namespace earl::exec
