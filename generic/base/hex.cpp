// SPDX-License-Identifier: BSD-3-Clause
#include "generic/base/hex.hpp"

#include <fmt/format.h>

#include <optional>

namespace earl {

namespace {

std::optional<unsigned> digit(char letter) {
  if (letter >= '0' && letter <= '9') return static_cast<unsigned>(letter - '0');
  if (letter >= 'a' && letter <= 'f') return static_cast<unsigned>(letter - 'a') + 10;
  return std::nullopt;
}

}  // namespace

std::string to_hex(Bytes bytes) {
  std::string text;
  for (auto const byte : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

bool from_hex(std::string_view text, MutableBytes room) {
  if (text.size() != 2 * room.size()) return false;
  for (std::size_t i = 0; i < room.size(); ++i) {
    auto const high = digit(text[2 * i]);
    auto const low = digit(text[2 * i + 1]);
    if (!high || !low) return false;
    room[i] = static_cast<std::byte>(*high << 4 | *low);
  }
  return true;
}

}  // namespace earl
