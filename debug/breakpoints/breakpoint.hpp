// SPDX-License-Identifier: BSD-3-Clause
/// A condition on the calls of a job's processes, as `--break` gives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "generic/seams/intercepted.hpp"

namespace earl::breakpoints {

/// Each member that is set must hold.
struct Breakpoint {
  std::optional<std::int32_t> rank{};
  std::string call{};                  ///< name of the API's; empty: any
  std::string file{};                  ///< name without its folder; empty: any place
  std::int32_t line = 0;               ///< with `file`
  std::optional<std::int32_t> peer{};  ///< the other rank of a message that it sends or receives
  std::optional<std::int32_t> tag{};   ///< of such a message
  std::uint64_t nth = 1;               ///< counted in each process

  /// It is about messages, not the beginning of a call.
  bool wants_message() const { return peer || tag; }
  bool fits(Envelope const& envelope, Rank other) const {
    return (!peer || *peer == number(other)) && (!tag || *tag == number(envelope.tag));
  }
};

/// "rank=3,call=crecv,at=racy.c:31,peer=2,tag=7,nth=5"; each at most once, one at least. Throws
/// Error.
Breakpoint parse_breakpoint(std::string_view text);

}  // namespace earl::breakpoints
