// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/tasks.hpp"

#include <cstdlib>

#include "backends/hosted/job.hpp"
#include "backends/hosted/pmix_job.h"
#include "generic/base/error.hpp"
#include "generic/base/number.hpp"
#include "generic/system/optional_module.hpp"
#include "generic/system/slurm_step.hpp"

namespace earl::hosted_backend {

namespace {

constexpr char pmix_rank[] = "PMIX_RANK";
constexpr char slurm_rank[] = "SLURM_PROCID";

std::vector<std::string_view> prefixes() {
  return {"PMI_",          "PMIX_",       "OMPI_",          "SLURM_PROCID",
          "SLURM_LOCALID", "SLURM_STEP_", "SLURM_MPI_TYPE", "SLURM_PMIX"};
}

/// mpiexec in an allocation is a task itself, whose variables its processes inherit: not theirs.
bool is_task_of_slurm() {
  auto const step = slurm_step();
  char const* const rank = std::getenv(pmix_rank);
  return step.tasks > 1 && (!rank || number_in_variable(pmix_rank, 0U) == step.rank);
}

/// srun's variables have all, but for the number on this host, which EXEC looks up (SlurmStep).
std::unique_ptr<UserLauncher> slurm() {
  auto const step = slurm_step();
  return launcher_for_shared_memory(
      {.back_end = "tasks", .title = "Slurm", .launcher = "srun", .path = {}, .rank = slurm_rank},
      {.rank = step.rank, .all = step.tasks, .here = step.tasks}, prefixes());
}

std::unique_ptr<UserLauncher> pmix(earl_pmix_calls const& calls) {
  earl_pmix_job job{};
  if (char const* const failure = calls.ask(&job))
    throw Error(
        "the PMIx server of this process ({}={}) gives no answer: {}; start `earl exec` by the "
        "launcher itself",
        pmix_rank, std::getenv(pmix_rank), failure);
  return launcher_for_shared_memory({.back_end = "tasks",
                                     .title = "PMIx",
                                     .launcher = "the launcher",
                                     .path = {},
                                     .rank = pmix_rank},
                                    {.rank = job.rank, .all = job.all, .here = job.here},
                                    prefixes());
}

}  // namespace

std::unique_ptr<UserLauncher> find_task_launcher() {
  bool const speaks_pmix = std::getenv(pmix_rank) && std::getenv("PMIX_NAMESPACE");
  if (is_task_of_slurm()) return slurm();
  if (!speaks_pmix) return nullptr;
  auto const module = load_module<earl_pmix_calls>("backends/hosted", "earl-pmix.so", "libpmix",
                                                   "earl_pmix", earl_pmix_version);
  if (!module.table)
    throw Error(
        "a launcher that speaks PMIx has started this process ({}={}), and its job is unknown: {}; "
        "install libpmix-dev (apt-get install libpmix-dev) and build Earl again",
        pmix_rank, std::getenv(pmix_rank), module.failure);
  return pmix(*module.table);
}

}  // namespace earl::hosted_backend
