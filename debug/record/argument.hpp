// SPDX-License-Identifier: BSD-3-Clause
/// The recorder's argument: a folder, and how much to keep.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "generic/base/number.hpp"

namespace earl::record {

/// Before the folder: only the outcomes that a replay needs.
inline constexpr std::string_view minimal_prefix = "minimal,";

/// Or: how many bytes of each process's record are kept, the latest; up to the comma.
inline constexpr std::string_view keep_prefix = "keep=";

struct Argument {
  explicit Argument(std::string_view text) : minimal(text.starts_with(minimal_prefix)) {
    if (minimal) text.remove_prefix(minimal_prefix.size());
    if (text.starts_with(keep_prefix)) {
      auto const comma = text.find(',');
      auto const size = text.substr(keep_prefix.size(), comma - keep_prefix.size());
      keep = number_from<std::uint64_t>(size).value_or(0);
      text.remove_prefix(comma + 1);
    }
    folder = text;
  }
  std::string in(std::string const& other_folder) const {
    return (minimal ? std::string{minimal_prefix} : std::string{}) +
           (keep == 0 ? std::string{} : std::string{keep_prefix} + std::to_string(keep) + ",") +
           other_folder;
  }

  bool minimal = false;
  std::uint64_t keep = 0;  ///< 0: all
  std::string folder{};
};

}  // namespace earl::record
