// SPDX-License-Identifier: BSD-3-Clause
#include "debug/explore/shrink.hpp"

#include <algorithm>

namespace earl::explore {

trace::Path shrink(trace::Path path, std::function<bool(trace::Path const&)> const& still,
                   std::size_t most) {
  for (auto size = path.size() / 2; size > 0 && path.size() > 1;) {
    bool smaller = false;
    bool any = false;
    for (std::size_t at = 0; at < path.size() && path.size() > 1; at += smaller ? 0 : size) {
      smaller = false;
      auto rest = path;
      auto const from = rest.begin() + static_cast<std::ptrdiff_t>(at);
      rest.erase(from, from + static_cast<std::ptrdiff_t>(std::min(size, path.size() - at)));
      if (rest.empty()) continue;
      if (most-- == 0) return path;
      smaller = still(rest);
      if (smaller) path = std::move(rest);
      any = any || smaller;
    }
    if (!any || size > 1) size = std::min(size / 2, path.size() / 2);
  }
  return path;
}

}  // namespace earl::explore
