// SPDX-License-Identifier: BSD-3-Clause
/// The processes of a partition by node and pid. Those that have not been loaded have Ranks, too:
/// messages to them wait.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "generic/process.hpp"

namespace earl::nx {

class PartitionMembers {
 public:
  PartitionMembers(Process& process, std::uint32_t partition)
      : process_(process), partition_(partition) {}

  /// One process; the host's node is the one after the last. Asks EXEC when it has not been named
  /// before. EQNODE.
  Rank at(std::int32_t node, std::int32_t pid);
  /// One process on each node, by node.
  std::vector<Rank> on_all_nodes(std::int32_t pid);
  /// The processes that are loaded or have been named; any node, any pid: all.
  std::vector<Rank> known(std::int32_t node, std::int32_t pid);

 private:
  static std::uint64_t key(std::int32_t node, std::int32_t pid) {
    return std::uint64_t{static_cast<std::uint32_t>(node)} << 32 | static_cast<std::uint32_t>(pid);
  }
  std::int32_t nodes() const;
  /// Reads the rows that have come since. A place that was loaded again has a new row.
  void update() {
    if (process_.table().count() != seen_) [[unlikely]]
      read_rows();
  }
  void read_rows();

  Process& process_;
  std::uint32_t partition_;
  std::uint32_t seen_ = 0;  ///< rows of the table
  std::unordered_map<std::uint64_t, Rank> ranks_{};
};

}  // namespace earl::nx
