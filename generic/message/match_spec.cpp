// SPDX-License-Identifier: BSD-3-Clause
#include "generic/message/match_spec.hpp"

#include <algorithm>

namespace earl {

namespace {

constexpr std::int32_t first_force_tag = 0x4000'0000;

bool mask_accepts(std::uint32_t bits, std::int32_t tag) {
  if (tag < 0 || tag >= first_force_tag) return false;
  auto const bit = static_cast<unsigned>(std::min(tag, 30));
  return (bits >> bit & 1U) != 0;
}

}  // namespace

bool TagMatch::accepts_one_of_several(Tag tag) const {
  auto const value = number(tag);
  switch (kind) {
    case Kind::exact:
      return value == low;
    case Kind::any:
      return true;
    case Kind::list:
      return std::find(tags.begin(), tags.end(), tag) != tags.end();
    case Kind::range:
      return low <= value && value <= high;
    case Kind::mask:
      return mask_accepts(bits, value);
  }
  return false;
}

}  // namespace earl
