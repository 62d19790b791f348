// SPDX-License-Identifier: BSD-3-Clause
/// The host of each process of a job.
#pragma once

#include <cstdint>
#include <vector>

#include "generic/base/values.hpp"

namespace earl::hosted_backend {

struct Spread {
  std::vector<std::uint32_t> hosts;  ///< by rank
  std::uint32_t here = 0;            ///< this one

  /// All on one host.
  static Spread together(std::uint32_t processes) {
    return {.hosts = std::vector<std::uint32_t>(processes), .here = 0};
  }
  std::vector<Rank> ranks_here() const {
    std::vector<Rank> ranks;
    for (std::size_t rank = 0; rank < hosts.size(); ++rank)
      if (hosts[rank] == here) ranks.push_back(Rank{static_cast<std::int32_t>(rank)});
    return ranks;
  }
};

}  // namespace earl::hosted_backend
