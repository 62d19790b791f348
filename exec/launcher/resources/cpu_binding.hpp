// SPDX-License-Identifier: BSD-3-Clause
/// The CPUs that each process of a host is bound to (--bind-to, --map-by).
#pragma once

#include <sched.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exec/launcher/binding.hpp"

namespace earl::exec {

/// A core of this host.
struct Core {
  cpu_set_t cpus{};
  int node = 0;           ///< NUMA node, in the order of the host
  cpu_set_t node_cpus{};  ///< of that node
};

/// The CPUs of `synthetic` (hwloc's HWLOC_SYNTHETIC), or of this host when it is null. Throws Error
/// when hwloc is missing or does not know them.
std::vector<Core> cores_of_host(char const* synthetic = nullptr);

/// Why there is no hwloc; empty: there is.
std::string topology_unavailable();

/// Gives each process of a host its CPUs, in the order in which they start there.
class CpuBinding {
 public:
  CpuBinding() = default;
  /// Only CPUs of `allowed` count; cores without any are left out.
  CpuBinding(Binding const& how, std::vector<Core> cores, cpu_set_t const& allowed);

  /// Null: processes are not bound. After the last core comes the first again.
  std::optional<cpu_set_t> next();
  /// The binding of the n-th process, from 0.
  std::optional<cpu_set_t> of(std::uint64_t n) const;

 private:
  std::vector<cpu_set_t> sets_{};  ///< in the order of processes; empty: none is bound
  std::uint64_t started_ = 0;
};

/// The binding of processes on this host. Throws Error.
CpuBinding binding_of_host(Binding const& how);

}  // namespace earl::exec
