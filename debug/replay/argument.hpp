// SPDX-License-Identifier: BSD-3-Clause
/// The replay's argument: a folder, and how strict to be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace earl::replay {

/// Before the folder: messages may hold other bytes than recorded. For programs that send memory
/// which they never wrote.
inline constexpr std::string_view any_contents = "contents=ignore,";

/// Before that, up to the bar: the changes to the recorded run.
inline constexpr std::string_view other_path = "path=";

struct Argument {
  explicit Argument(std::string_view text) {
    if (text.starts_with(other_path)) {
      auto const bar = text.find('|');
      path = text.substr(other_path.size(), bar - other_path.size());
      text.remove_prefix(bar + 1);
    }
    checks_contents = !text.starts_with(any_contents);
    folder = text.substr(checks_contents ? 0 : any_contents.size());
  }
  std::string in(std::string const& other_folder) const {
    return (path.empty() ? "" : std::string{other_path} + path + "|") +
           (checks_contents ? "" : std::string{any_contents}) + other_folder;
  }

  std::string path{};  ///< empty: the recorded one
  bool checks_contents = true;
  std::string folder{};
};

}  // namespace earl::replay
