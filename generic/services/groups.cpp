// SPDX-License-Identifier: BSD-3-Clause
#include "generic/services/groups.hpp"

#include <algorithm>

#include "generic/base/error.hpp"

namespace earl {

std::uint32_t Members::size() const {
  return static_cast<std::uint32_t>(
      std::count_if(ranks.begin(), ranks.end(), [](Rank rank) { return rank != no_rank; }));
}

std::int32_t Members::instance_of(Rank rank) const {
  auto const found = std::find(ranks.begin(), ranks.end(), rank);
  return found == ranks.end() ? -1 : static_cast<std::int32_t>(found - ranks.begin());
}

}  // namespace earl
