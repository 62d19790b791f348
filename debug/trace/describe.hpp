// SPDX-License-Identifier: BSD-3-Clause
/// Outcomes as text for people.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "debug/trace/labels.hpp"
#include "debug/trace/sites.hpp"

namespace earl::trace {

class Describer {
 public:
  /// Takes in a definition of sites or a name; true: the outcome held nothing else.
  bool learn(Outcome const& outcome) { return sites_.learn(outcome) || labels_.learn(outcome); }
  /// "event 511: crecv at racy.c:88: receive (any source, tag 7) got message 4 of rank 2".
  std::string line(Outcome const& outcome);
  /// "crecv at racy.c:88".
  std::string const& site(std::uint32_t number);

 private:
  KnownSites sites_;
  KnownLabels labels_;
  std::unordered_map<std::uint32_t, std::string> texts_;
};

/// The outcome without its place: "receive (any source, tag 7) got message 4 of rank 2". `context`:
/// the name of its selector's; empty: it has none.
std::string result_text(Outcome const& outcome, std::string_view context = {});
/// The request that a cancel names: "receive 4", "a send".
std::string operation_text(std::uint64_t post);
/// A message of EXEC that is a notice about `subject`.
std::string notification_text(std::string_view subject);
/// "rank 2", "EXEC".
std::string to_text(Rank rank);
/// "1 call", "3 calls", "1,203,441 calls".
std::string counted(std::uint64_t count, char const* one, char const* many);

}  // namespace earl::trace
