// SPDX-License-Identifier: BSD-3-Clause
/// The hosts that a batch system has allocated to this process's job, by its environment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exec/launcher/requested_host.hpp"

namespace earl::exec {

struct Allocation {
  std::string system;  ///< "Slurm"
  std::vector<RequestedHost> hosts;
  std::string launcher;  ///< the command that starts commands on them
};

/// Null: this is no job of a batch system that Earl knows. Throws UsageError when its variables are
/// malformed.
std::optional<Allocation> find_allocation();

/// Slurm's way to name hosts: "a,n[1-3,07],r[1-2]n[0-1]". Null: that is none.
std::optional<std::vector<std::string>> slurm_names(std::string_view text);
/// Slurm's way to count on them: "2(x3),1". Null: that is none.
std::optional<std::vector<std::uint32_t>> slurm_counts(std::string_view text);

}  // namespace earl::exec
