// SPDX-License-Identifier: BSD-3-Clause
/// Places in programs as text.
#pragma once

#include <map>
#include <string>

#include "debug/analyse/history.hpp"

namespace earl::analyse {

/// The sites of all ranks, under one number for each place in a program. Each is looked up once.
class Sites {
 public:
  explicit Sites(History const& history) : history_(history), numbers_(history.ranks.size()) {}

  std::uint32_t number(std::uint32_t rank, std::uint32_t site);
  /// "crecv at racy.c:31".
  std::string const& call_text(std::uint32_t rank, std::uint32_t site);

 private:
  std::uint32_t intern(trace::KnownSite const& site);

  History const& history_;
  std::vector<std::vector<std::uint32_t>> numbers_;
  std::map<std::string, std::uint32_t> all_{};
  std::vector<std::string> texts_{};
  std::string const unknown_ = "a call that is not known";
};

}  // namespace earl::analyse
