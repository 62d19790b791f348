// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/services/partitions.hpp"

#include <algorithm>
#include <numeric>

namespace earl::exec {

PartitionAnswer Partitions::allocate(Rank host, AllocateRequest const& request) {
  if (!request.name.empty() && std::ranges::count(all_, request.name, &Partition::name) != 0)
    return {.fault = PartitionFault::exists};
  if (last_ + 1 == most_partitions || request.places == 0 || request.places > roster_.room())
    return {.fault = PartitionFault::full};
  all_.push_back(
      {.name = request.name, .number = ++last_, .places = request.places, .keep = request.keep});
  roster_.set_partition(last_, request.places, host);
  return {.partition = last_, .places = request.places};
}

PartitionAnswer Partitions::attach(Rank host, AttachRequest const& request) {
  auto const found = request.name.empty() ? std::prev(all_.end(), all_.empty() ? 0 : 1)
                                          : std::ranges::find(all_, request.name, &Partition::name);
  if (found == all_.end()) return {.fault = PartitionFault::unknown};
  roster_.set_host(found->number, host);
  return {.partition = found->number, .places = found->places};
}

Partitions::Partition const* Partitions::find(std::uint32_t number) const {
  auto const found = std::ranges::find(all_, number, &Partition::number);
  return found == all_.end() ? nullptr : &*found;
}

PartitionFacts Partitions::facts_of(Partition const& partition) const {
  PartitionFacts facts{.name = partition.name, .places = partition.places};
  roster_.each([&](Rank rank) {
    if (roster_.at(rank).partition == partition.number && roster_.lives(rank)) ++facts.processes;
  });
  auto const host = roster_.host_of(partition.number);
  facts.attached = host != no_rank && roster_.lives(host);
  return facts;
}

PartitionList Partitions::list() const {
  PartitionList list;
  for (auto const& partition : all_) list.all.push_back(facts_of(partition));
  return list;
}

std::vector<std::int32_t> Partitions::places(Places const& where) const {
  auto const* partition = find(where.partition);
  if (!partition || where.place < any_place ||
      where.place >= static_cast<std::int32_t>(partition->places))
    return {};
  if (where.place != any_place) return {where.place};
  std::vector<std::int32_t> all(partition->places);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void Partitions::release(std::uint32_t number) {
  std::erase_if(all_, [&](Partition const& partition) { return partition.number == number; });
  roster_.set_partition(number, 0, no_rank);
}

std::vector<std::uint32_t> Partitions::left_by(Rank host) const {
  std::vector<std::uint32_t> left;
  for (auto const& partition : all_)
    if (!partition.keep && roster_.host_of(partition.number) == host)
      left.push_back(partition.number);
  return left;
}

}  // namespace earl::exec
