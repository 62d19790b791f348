// SPDX-License-Identifier: BSD-3-Clause
/// Frames of stacks as text, each looked up once.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "debug/symbols/calls.hpp"
#include "generic/seams/report.hpp"

namespace earl::deadlock {

class Places {
 public:
  /// "file:line".
  std::string const& line(Frame const& frame) { return calls(frame).front().line; }
  /// Innermost first: more than one where the compiler merged calls. Never empty.
  std::vector<symbols::SourceCall> const& calls(Frame const& frame);

 private:
  std::map<std::pair<std::string, std::uint64_t>, std::vector<symbols::SourceCall>> known_;
};

}  // namespace earl::deadlock
