// SPDX-License-Identifier: BSD-3-Clause
/// The replay's argument: a folder, and how strict to be.
#pragma once

#include <string>
#include <string_view>

namespace earl::replay {

/// Before the folder: messages may hold other bytes than recorded. For programs that send memory
/// which they never wrote.
inline constexpr std::string_view any_contents = "contents=ignore,";

struct Argument {
  explicit Argument(std::string_view text)
      : checks_contents(!text.starts_with(any_contents)),
        folder(text.substr(checks_contents ? 0 : any_contents.size())) {}
  std::string in(std::string const& other_folder) const {
    return (checks_contents ? "" : std::string{any_contents}) + other_folder;
  }

  bool checks_contents;
  std::string folder;
};

}  // namespace earl::replay
