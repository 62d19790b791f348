// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/partition_members.hpp"

#include <algorithm>

#include "frontends/nx/errors.hpp"
#include "generic/exec_client.hpp"

namespace earl::nx {

std::int32_t PartitionMembers::nodes() const {
  return static_cast<std::int32_t>(
      process_.table().partition(partition_)->places.load(std::memory_order_acquire));
}

void PartitionMembers::read_rows() {
  auto const count = process_.table().count();
  for (; seen_ < count; ++seen_) {
    const Rank rank{static_cast<std::int32_t>(seen_)};
    auto const* row = process_.table().find(rank);
    if (!row || row->partition != partition_) continue;
    ranks_[key(static_cast<std::int32_t>(row->place), static_cast<std::int32_t>(row->label))] =
        rank;
  }
}

Rank PartitionMembers::at(std::int32_t node, std::int32_t pid) {
  update();
  auto const host = Rank{process_.table().partition(partition_)->host.load()};
  if (node == nodes() && host != no_rank) return host;
  if (auto const found = ranks_.find(key(node, pid)); found != ranks_.end()) [[likely]]
    return found->second;
  if (node < 0 || node > nodes())
    throw NxError(EQNODE, "node {} is not in this cube of {} (0 to {})", node, nodes(),
                  nodes() - 1);
  auto const answer =
      process_.exec().reserve({.partition = partition_, .place = node, .label = pid}).ranks;
  if (answer.empty())
    throw NxError(EQNOPROC, "there is no room for a process with pid {} on node {}", pid, node);
  return answer.front();
}

std::vector<Rank> PartitionMembers::on_all_nodes(std::int32_t pid) {
  update();
  std::vector<Rank> ranks;
  for (std::int32_t node = 0; node < nodes(); ++node) {
    auto const found = ranks_.find(key(node, pid));
    if (found == ranks_.end()) {
      ranks = process_.exec().reserve({.partition = partition_, .label = pid}).ranks;
      if (ranks.empty())
        throw NxError(EQNOPROC, "there is no room for processes with pid {} on {} nodes", pid,
                      nodes());
      return ranks;
    }
    ranks.push_back(found->second);
  }
  return ranks;
}

std::vector<Rank> PartitionMembers::known(std::int32_t node, std::int32_t pid) {
  update();
  std::vector<Rank> ranks;
  for (auto const& [place, rank] : ranks_) {
    IdRow const& row = *process_.table().find(rank);
    bool const there = node < 0 || row.place == static_cast<std::uint32_t>(node);
    bool const meant = pid < 0 || row.label == static_cast<std::uint32_t>(pid);
    if (there && meant && row.place < static_cast<std::uint32_t>(nodes())) ranks.push_back(rank);
  }
  std::ranges::sort(ranks);
  return ranks;
}

}  // namespace earl::nx
