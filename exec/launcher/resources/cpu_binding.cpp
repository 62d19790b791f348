// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/resources/cpu_binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "exec/launcher/resources/processors.hpp"
#include "exec/launcher/resources/topology.h"
#include "generic/base/error.hpp"
#include "generic/system/optional_module.hpp"

namespace earl::exec {

namespace {

OptionalModule<EarlTopology> load_topology() {
  return load_module<EarlTopology>("exec", "earl-hwloc.so", "hwloc", "earl_topology",
                                   earl_topology_version);
}

cpu_set_t common(cpu_set_t const& a, cpu_set_t const& b) {
  cpu_set_t both;
  CPU_AND(&both, &a, &b);
  return both;
}

/// One core of each NUMA node in turn; those of a node stay in their order.
std::vector<Core> round_nodes(std::vector<Core> const& cores) {
  std::map<int, std::vector<Core>> by_node;
  for (auto const& core : cores) by_node[core.node].push_back(core);
  std::vector<Core> ordered;
  for (std::size_t n = 0; ordered.size() < cores.size(); ++n)
    for (auto const& [node, own] : by_node)
      if (n < own.size()) ordered.push_back(own[n]);
  return ordered;
}

}  // namespace

std::vector<Core> cores_of_host(char const* synthetic) {
  auto const loaded = load_topology();
  if (!loaded.table)
    throw Error("--bind-to: the cores of this host are unknown: {}", loaded.failure);
  std::vector<Core> cores;
  auto const add = [](void* data, char const* cpus, int node, char const* node_cpus) {
    static_cast<std::vector<Core>*>(data)->push_back(
        {.cpus = parse_processors(cpus), .node = node, .node_cpus = parse_processors(node_cpus)});
  };
  if (loaded.table->list(synthetic, add, &cores) != 0)
    throw Error("--bind-to: the cores of this host are unknown: hwloc: {}", system_message(errno));
  return cores;
}

std::string topology_unavailable() { return load_topology().failure; }

CpuBinding::CpuBinding(Binding const& how, std::vector<Core> cores, cpu_set_t const& allowed) {
  if (how.unit == BindingUnit::none) return;
  std::erase_if(cores, [&](Core const& core) {
    auto const usable = common(core.cpus, allowed);
    return CPU_COUNT(&usable) == 0;
  });
  if (how.order == BindingUnit::numa) cores = round_nodes(cores);
  for (auto const& core : cores)
    sets_.push_back(common(how.unit == BindingUnit::core ? core.cpus : core.node_cpus, allowed));
}

std::optional<cpu_set_t> CpuBinding::of(std::uint64_t n) const {
  if (sets_.empty()) return std::nullopt;
  return sets_[n % sets_.size()];
}

std::optional<cpu_set_t> CpuBinding::next() { return of(started_++); }

CpuBinding binding_of_host(Binding const& how) {
  if (how.unit == BindingUnit::none) return {};
  return {how, cores_of_host(), own_processors()};
}

}  // namespace earl::exec
