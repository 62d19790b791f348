// SPDX-License-Identifier: BSD-3-Clause
/// The step of srun that this process is a task of.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "generic/base/number.hpp"

namespace earl {

/// srun sets it for the tasks of a step only, with or without an MPI library: a batch script and
/// the shell of salloc lack it, where SLURM_NTASKS is the allocation's.
inline constexpr char slurm_tasks[] = "SLURM_STEP_NUM_TASKS";
inline constexpr char slurm_hosts[] = "SLURM_STEP_NUM_NODES";

struct SlurmStep {
  std::uint32_t rank = 0;
  std::uint32_t tasks = 1;
  std::uint32_t hosts = 1;
};

/// One task on one host where srun has started none. `srun --pty` is a user at a terminal, who has
/// the allocation as in salloc.
inline SlurmStep slurm_step() {
  if (std::getenv("SLURM_PTY_PORT")) return {};
  return {.rank = number_in_variable("SLURM_PROCID", 0U),
          .tasks = number_in_variable(slurm_tasks, 1U),
          .hosts = number_in_variable(slurm_hosts, 1U)};
}

}  // namespace earl
