// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/settings/duration.hpp"

#include <charconv>

namespace earl::exec {
namespace {

/// Seconds in a unit; 0: there is no such unit.
double unit(std::string_view suffix) {
  if (suffix.empty() || suffix == "s") return 1;
  if (suffix == "m") return 60;
  return suffix == "h" ? 3600 : 0;
}

}  // namespace

std::optional<double> seconds_from(std::string_view text) {
  constexpr double most = 1e9;
  double number = 0;
  auto const* const end = text.data() + text.size();
  auto const parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc{}) return std::nullopt;
  double const seconds = number * unit({parsed.ptr, static_cast<std::size_t>(end - parsed.ptr)});
  return seconds > 0 && seconds <= most ? std::optional{seconds} : std::nullopt;
}

}  // namespace earl::exec
