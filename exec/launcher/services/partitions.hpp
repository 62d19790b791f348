// SPDX-License-Identifier: BSD-3-Clause
/// The partitions of a job, and their owners.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exec/launcher/roster/roster.hpp"
#include "generic/services/partitions.hpp"

namespace earl::exec {

class Partitions {
 public:
  explicit Partitions(Roster& roster) : roster_(roster) {}

  /// `host` may be no_rank: it will come later.
  PartitionAnswer allocate(Rank host, AllocateRequest const& request);
  PartitionAnswer attach(Rank host, AttachRequest const& request);
  PartitionList list() const;
  /// The places that are meant; empty: there are none such.
  std::vector<std::int32_t> places(Places const& where) const;
  void release(std::uint32_t partition);
  /// The partitions that are dropped when their host has ended.
  std::vector<std::uint32_t> left_by(Rank host) const;
  bool empty() const { return all_.empty(); }

 private:
  struct Partition {
    std::string name{};
    std::uint32_t number = 0;
    std::uint32_t places = 0;
    bool keep = false;
  };

  Partition const* find(std::uint32_t number) const;
  PartitionFacts facts_of(Partition const& partition) const;

  Roster& roster_;
  std::vector<Partition> all_;  ///< in the order they were allocated
  std::uint32_t last_ = 0;
};

}  // namespace earl::exec
