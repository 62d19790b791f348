// SPDX-License-Identifier: BSD-3-Clause
/// Sizes as users write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace earl::exec {

/// In bytes: "65536", "64K", "1M", "2G"; the letters count in 1024s. Nullopt: it is no such number,
/// or is above 2^42.
std::optional<std::uint64_t> bytes_from(std::string_view text);

}  // namespace earl::exec
