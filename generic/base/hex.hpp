// SPDX-License-Identifier: BSD-3-Clause
/// Bytes as text: two small hexadecimal digits each.
#pragma once

#include <string>
#include <string_view>

#include "generic/base/bytes.hpp"

namespace earl {

std::string to_hex(Bytes bytes);
/// False: `text` is not hexadecimal digits for exactly `room.size()` bytes; the room is undefined.
[[nodiscard]] bool from_hex(std::string_view text, MutableBytes room);

}  // namespace earl
