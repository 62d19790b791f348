// SPDX-License-Identifier: BSD-3-Clause
/// The sentence about a part that this build leaves out.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace earl::exec {

/// `rows`: the parts that it has, which `option` of Meson names together with `name` to have both.
inline std::string left_out_text(std::string_view what, std::string_view option,
                                 std::vector<std::string_view> const& rows, std::string_view name) {
  std::string names;
  for (auto const row : rows) names += fmt::format("{},", row);
  return fmt::format("this Earl was built without {}; configure it with {}={}{} and build it again",
                     what, option, names, name);
}

}  // namespace earl::exec
