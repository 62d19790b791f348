// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

namespace earl::exec {

/// MemAvailable of a /proc/meminfo, bytes; 0: it does not say.
std::uint64_t available_memory(std::string_view meminfo);

/// The default limit of memory for unreceived messages.
std::uint64_t usual_message_memory();

}  // namespace earl::exec
