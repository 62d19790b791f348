// SPDX-License-Identifier: BSD-3-Clause
/// Objects that a program has not given back at its end, by the calls that made them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "generic/seams/interceptor.hpp"

namespace earl {

class UnreleasedObjects {
 public:
  /// One that the call at `site` has made.
  void add(void const* site) {
    for (auto& [known, objects] : makers_)
      if (known == site) return static_cast<void>(++objects);
    makers_.emplace_back(site, 1);
  }
  /// By place, in the order of the first object of each.
  auto begin() const { return makers_.begin(); }
  auto end() const { return makers_.end(); }
  /// One event for each place. `kind` as in Unreleased.
  void report(Interceptor& debugger, char const* kind) const {
    for (auto const& [site, objects] : makers_)
      debugger.unreleased({.made = {.name = kind, .site = site}, .count = objects});
  }

 private:
  std::vector<std::pair<void const*, std::uint64_t>> makers_{};
};

}  // namespace earl
