// SPDX-License-Identifier: BSD-3-Clause
/// Durations as users write them.
#pragma once

#include <optional>
#include <string_view>

namespace earl::exec {

/// For usage errors.
constexpr std::string_view duration_wanted =
    "a duration above 0 is needed: seconds, or a number with s, m or h behind it, as in 90 or 1.5m";

/// In seconds: "90", "1.5m", "2h"; as timeout(1) reads them. Nullopt: it is no such number, not
/// above 0, or above a billion seconds.
std::optional<double> seconds_from(std::string_view text);

}  // namespace earl::exec
