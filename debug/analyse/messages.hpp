// SPDX-License-Identifier: BSD-3-Clause
/// A run message by message.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace earl::analyse {

/// The messages to show; nothing named: all that were received.
struct MessageOptions {
  std::optional<std::int32_t> rank{};  ///< that received it, or with `sends` sent it
  std::optional<std::int32_t> peer{};  ///< the other one
  std::optional<std::int32_t> tag{};
  std::string site{};      ///< a part of the text for the call: "racy.c:31"
  std::uint64_t from = 0;  ///< the first event of the rank's
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
  bool sends = false;  ///< also each send
  bool json = false;
};

/// Prints them, rank by rank in the order of calls; the events are in `folder`. Throws Error when
/// there are none.
void print_messages(std::string const& folder, MessageOptions const& options);

}  // namespace earl::analyse
