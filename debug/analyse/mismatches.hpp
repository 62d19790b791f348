// SPDX-License-Identifier: BSD-3-Clause
/// Collectives in which members of one group made different calls.
#pragma once

#include <cstdint>
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
  std::string call{};      ///< that all members must make; empty: several may belong together
  std::string given{};     ///< the type of the elements that it gives; empty: none, or unspecified
  std::string taken{};     ///< likewise, of those that it receives

  bool has_root() const { return flow == DataFlow::from_root || flow == DataFlow::to_root; }
};

/// Two members that differ.
struct Mismatch {
  CollectivePart one{};
  CollectivePart other{};
};

/// A member that made fewer calls than others.
struct MissingCall {
  CollectivePart made{};   ///< by another
  std::uint32_t rank = 0;  ///< has not made it
};

struct Mismatches {
  /// The first of each group of processes: later ones may only follow from it.
  std::vector<Mismatch> calls{};
  std::vector<MissingCall> missing{};  ///< likewise
  /// `other` takes elements of another type than `one` gives: of the collectives before these.
  std::vector<Mismatch> types{};
};

/// `sources` as for read_history(). `complete`: all ranks have made all their calls, so that a
/// member that has made fewer is a mismatch.
Mismatches find_mismatches(std::vector<Source> sources, bool complete);

}  // namespace earl::analyse
