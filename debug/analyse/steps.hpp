// SPDX-License-Identifier: BSD-3-Clause
/// The message operations of each rank, in its order and as text.
#pragma once

#include <string>
#include <vector>

#include "debug/analyse/sites.hpp"

namespace earl::analyse {

/// A receive or a send of one rank.
struct Step {
  Place at{};
  std::uint32_t receive = none;  ///< of the rank's; none: a send
  std::uint32_t message = none;
};
using Steps = std::vector<Step>;

/// By rank.
std::vector<Steps> steps_of(History const& history);

/// By rank: the lowest rank whose steps have the same calls at the same sites, and which ended or
/// waits in the same call. Peers, tags and bytes do not count.
std::vector<std::uint32_t> equal_ranks(History const& history, std::vector<Steps> const& steps,
                                       Sites& sites);

class StepTexts {
 public:
  explicit StepTexts(History const& history) : history_(history), sites_(history) {}

  Sites& sites() { return sites_; }
  /// "crecv at racy.c:31 (any source) got message 3 of rank 2: csend at ...".
  std::string of(std::uint32_t rank, Step const& step);
  /// "any source, tag 7".
  std::string asked(std::uint32_t rank, Receive const& receive) const;

 private:
  std::string of_send(std::uint32_t rank, SentMessage const& message);

  History const& history_;
  Sites sites_;
};

}  // namespace earl::analyse
