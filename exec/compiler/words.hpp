// SPDX-License-Identifier: BSD-3-Clause
/// C whose `long` has 4 bytes, as on the machines that Earl's programs come from, translated for a
/// compiler whose `long` has 8.
#pragma once

#include <string>
#include <string_view>

namespace earl::exec {

/// `source` is C after the preprocessor. Outside the system's headers every `long` becomes an `int`
/// (`long long`, `long double` and floating constants stay) and calls of printf, scanf and the like
/// go to the front end's own, which read %ld as such.
std::string with_short_words(std::string_view source);

}  // namespace earl::exec
