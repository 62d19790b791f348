// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/settings/size.hpp"

#include "generic/base/number.hpp"

namespace earl::exec {

std::optional<std::uint64_t> bytes_from(std::string_view text) {
  constexpr std::string_view suffixes = "KMG";
  constexpr std::uint64_t most = std::uint64_t{1} << 42;
  auto const suffix = text.empty() ? std::string_view::npos : suffixes.find(text.back());
  bool const plain = suffix == std::string_view::npos;
  auto const value = number_from<std::uint64_t>(plain ? text : text.substr(0, text.size() - 1));
  unsigned const shift = plain ? 0 : 10 * (static_cast<unsigned>(suffix) + 1);
  if (!value || *value > most >> shift) return std::nullopt;
  return *value << shift;
}

}  // namespace earl::exec
