// SPDX-License-Identifier: BSD-3-Clause
/// Reports about a user's tool, the same for its halves in ranks and in EXEC.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace earl::outside {

inline std::string refusal_text(std::string_view tool, std::string_view why) {
  return fmt::format("the tool {} refuses: {}", tool, why);
}

/// `function`: "create", "event at EARL_SEND".
inline std::string exception_text(std::string_view tool, std::string_view function) {
  return fmt::format("the tool {} threw an exception out of {}", tool, function);
}

inline std::string stop_text(std::string_view tool, std::string_view sentence) {
  return fmt::format("the tool {} ends the job: {}", tool,
                     sentence.empty() ? "it gives no reason" : sentence);
}

inline std::string wrong_verdict_text(std::string_view tool, int verdict, std::string_view kind,
                                      bool steers) {
  return fmt::format("the tool {} returned {} at {}, where that is no verdict{}", tool, verdict,
                     kind, steers ? "" : "; it does not set EARL_TOOL_STEERS");
}

}  // namespace earl::outside
