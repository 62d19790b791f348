// SPDX-License-Identifier: BSD-3-Clause
/// Collectives in which members of one group made different calls.
#pragma once

#include <string>
#include <vector>

#include "debug/analyse/history.hpp"

namespace earl::analyse {

/// The call of one member, as the collective of that number.
struct CollectivePart {
  std::uint32_t rank = 0;
  Place at{};
  std::string kind{};  ///< "broadcast"
  DataFlow flow = DataFlow::all_to_all;
  std::uint64_t root = 0;  ///< a member; where all have the same flow, unspecified
  std::string context{};   ///< its name there; empty: none

  bool has_root() const { return flow == DataFlow::from_root || flow == DataFlow::to_root; }
};

/// Two members that differ.
struct Mismatch {
  CollectivePart one{};
  CollectivePart other{};
};

/// The first of each group of processes: later ones may only follow from it. `sources` as for
/// read_history().
std::vector<Mismatch> find_mismatches(std::vector<Source> sources);

}  // namespace earl::analyse
