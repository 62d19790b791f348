// SPDX-License-Identifier: BSD-3-Clause
/// The deviations of a replay from the recorded run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generic/base/values.hpp"

namespace earl::trace {

/// One step of a path. "0:3=2#5": receive 3 of rank 0 gets message 5 of rank 2. "0:3=": it gets any
/// message. "0@17": rank 0 is unconstrained from its call 17 on. "0?4=2#5": question 4 of rank 0, a
/// probe or a try to receive, finds that message. "0?4=yes", "0?4=no": it finds one, or none, or
/// its requests are complete or not. "0?4=1+3": requests 1 and 3 of its list are complete.
struct PathStep {
  enum class Of : std::uint8_t {
    receive,   ///< as posted, from 0
    question,  ///< probes, tries and tests, from 0
    call,      ///< API calls, from 1
  };
  enum class Answer : std::uint8_t { none, yes, no };

  Rank rank{};
  std::uint64_t number = 0;
  Of of = Of::receive;
  std::optional<MessageId> message{};
  Answer answer = Answer::none;            ///< of a question
  std::vector<std::uint32_t> positions{};  ///< in its list of requests; empty: any

  bool operator==(PathStep const&) const = default;
};
using Path = std::vector<PathStep>;

/// A call of one rank, as "3@120".
struct CallPlace {
  Rank rank{};
  std::uint64_t event = 0;  ///< from 1
};
/// Throws Error, whose text begins with `option`.
CallPlace parse_call_place(std::string_view option, std::string_view text);

/// Parses steps with commas between them. Throws Error.
Path parse_path(std::string_view text);
std::string to_text(PathStep const& step);
std::string to_text(Path const& path);

}  // namespace earl::trace
