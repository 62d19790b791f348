// SPDX-License-Identifier: BSD-3-Clause
/// The recorder's argument: a folder, and how much to keep.
#pragma once

#include <string>
#include <string_view>

namespace earl::record {

/// Before the folder: only the outcomes that a replay needs.
inline constexpr std::string_view minimal_prefix = "minimal,";

struct Argument {
  explicit Argument(std::string_view text)
      : minimal(text.starts_with(minimal_prefix)),
        folder(text.substr(minimal ? minimal_prefix.size() : 0)) {}
  std::string in(std::string const& other_folder) const {
    return (minimal ? std::string{minimal_prefix} : std::string{}) + other_folder;
  }

  bool minimal = false;
  std::string folder{};
};

}  // namespace earl::record
