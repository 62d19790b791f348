// SPDX-License-Identifier: BSD-3-Clause
/// Numbers that people and environments write.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace earl {

/// The number that `text` is, all of it; null: it is none, or does not fit.
template <std::integral Number>
std::optional<Number> number_from(std::string_view text, int base = 10) {
  Number value{};
  auto const* const end = text.data() + text.size();
  auto const parsed = std::from_chars(text.data(), end, value, base);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

/// The number in an environment variable; `otherwise` where there is none.
template <std::integral Number>
Number number_in_variable(std::string const& name, Number otherwise) {
  char const* const value = std::getenv(name.c_str());
  return value ? number_from<Number>(value).value_or(otherwise) : otherwise;
}

}  // namespace earl
