// SPDX-License-Identifier: BSD-3-Clause
#include "debug/outside/use.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace earl::outside {

std::string text_of(std::size_t number, std::string const& path, std::string const& argument) {
  return fmt::format("{}{}{}{}", number, path, argument.empty() ? "" : ":", argument);
}

/// A path is absolute and has no colon: EXEC has seen to that.
Use parse_use(std::string_view text) {
  auto const slash = std::min(text.find('/'), text.size());
  auto const colon = std::min(text.find(':', slash), text.size());
  auto const rest = colon < text.size() ? text.substr(colon + 1) : std::string_view{};
  return {.path = std::string{text.substr(slash, colon - slash)},
          .argument = std::string{rest},
          .note_name = fmt::format("outside {}", text.substr(0, slash))};
}

}  // namespace earl::outside
