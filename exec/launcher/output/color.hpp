// SPDX-License-Identifier: BSD-3-Clause
/// Colors of Earl's own lines on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace earl::exec {

/// By their numbers in ECMA-48 (SGR).
enum class Color { red = 31, green = 32, yellow = 33 };

/// `text` in bold and in `color`, for the stream `fd`: as it is where that is no terminal, or one
/// without colors (TERM is unset or dumb), or where NO_COLOR is set and not empty (no-color.org).
std::string in_color(Color color, std::string_view text, int fd);

}  // namespace earl::exec
