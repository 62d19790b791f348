// SPDX-License-Identifier: BSD-3-Clause
/// Numbers that people and environments write.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
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

}  // namespace earl
