// SPDX-License-Identifier: BSD-3-Clause
/// Frames of stacks in words, each looked up once.
#pragma once

#include <map>
#include <string>

#include "generic/seams/report.hpp"

namespace earl::deadlock {

class Places {
 public:
  /// "file:line".
  std::string const& line(Frame const& frame) { return known(frame).line; }
  /// Empty: unknown.
  std::string const& function(Frame const& frame) { return known(frame).function; }
  /// "work at file:line".
  std::string in_words(Frame const& frame);

 private:
  struct Place {
    std::string line;
    std::string function;
  };
  Place const& known(Frame const& frame);

  std::map<std::pair<std::string, std::uint64_t>, Place> known_;
};

}  // namespace earl::deadlock
