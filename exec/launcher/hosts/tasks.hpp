// SPDX-License-Identifier: BSD-3-Clause
/// The processes that a launcher of the user's has started, of which this one may be one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "exec/launcher/requested_host.hpp"

namespace earl::exec {

/// For a command that starts a whole job, which each of several processes would do. Throws
/// UsageError with the number of processes and what to do; without a sentence in all but the first
/// of them, which has it.
void refuse_several_tasks(std::string_view command);
/// For `earl exec`, when no back end knows a launcher. Throws as refuse_several_tasks().
void refuse_tasks_without_launcher();
/// For `earl exec` as one of `places` processes of a launcher: the hosts of srun's step, each with
/// the number of its tasks; empty: this is no step on several hosts. Throws as
/// refuse_several_tasks() when Slurm's variables name no hosts.
std::vector<RequestedHost> hosts_of_tasks(std::uint32_t places);

}  // namespace earl::exec
