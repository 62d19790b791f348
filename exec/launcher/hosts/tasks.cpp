// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/tasks.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "backends/registry.hpp"
#include "exec/launcher/plan.hpp"
#include "generic/base/number.hpp"

namespace earl::exec {

namespace {

/// srun sets it for the tasks of a step only: a batch script and the shell of salloc lack it, where
/// SLURM_NTASKS is the allocation's.
constexpr char const* slurm_tasks = "SLURM_STEP_NUM_TASKS";
constexpr char const* slurm_rank = "SLURM_PROCID";
constexpr char const* slurm_hosts = "SLURM_STEP_NUM_NODES";
/// `srun -n 4 --pty bash` is a user at a terminal, who has the allocation as in salloc.
constexpr char const* slurm_terminal = "SLURM_PTY_PORT";

struct Tasks {
  std::uint32_t rank = 0;
  std::uint32_t all = 1;
  std::string origin{};  ///< their launcher and how it shows, for people
};

std::uint32_t number_in(char const* variable, std::uint32_t otherwise) {
  char const* const value = std::getenv(variable);
  return value ? number_from<std::uint32_t>(value).value_or(otherwise) : otherwise;
}

Tasks slurm_step() {
  if (std::getenv(slurm_terminal)) return {};
  auto const all = number_in(slurm_tasks, 1);
  return {.rank = number_in(slurm_rank, 0),
          .all = all,
          .origin = fmt::format("srun ({}={})", slurm_tasks, all)};
}

Tasks find_tasks() {
  if (auto step = slurm_step(); step.all > 1) return step;
  for (auto const* row : back_ends())
    if (auto const part = row->launched ? row->launched() : UserLauncher::Part{}; part.all > 1)
      return {.rank = part.rank, .all = part.all, .origin = "mpiexec (by PMI_SIZE or its like)"};
  return {};
}

[[noreturn]] void refuse(Tasks const& tasks, std::string const& sentence) {
  if (tasks.rank != 0) throw UsageError("");
  throw UsageError("{}", sentence);
}

}  // namespace

void refuse_several_tasks(std::string_view command) {
  auto const tasks = find_tasks();
  if (tasks.all < 2) return;
  refuse(tasks, fmt::format(
                    "{} has started {} processes, and `{}` would start a job in each: run it once, "
                    "with -n, and in an allocation it takes the hosts of that; `earl exec` in its "
                    "place makes one job of what mpiexec or srun --mpi=pmi2 has started; with "
                    "--hosts none each process has a job of its own",
                    tasks.origin, tasks.all, command));
}

void refuse_tasks_without_pmi() {
  auto const tasks = slurm_step();
  if (tasks.all < 2) return;
  refuse(tasks,
         fmt::format("{} has started {} processes without a way to find each other: there are no "
                     "PMI_RANK and PMI_SIZE (MPICH), nor OMPI_COMM_WORLD_RANK and "
                     "OMPI_COMM_WORLD_SIZE (Open MPI); start them by `srun --mpi=pmi2` or by "
                     "mpiexec, or once without srun as `earl run`, which takes the hosts of the "
                     "allocation",
                     tasks.origin, tasks.all));
}

void refuse_tasks_on_hosts(std::uint32_t places) {
  auto const tasks = slurm_step();
  auto const hosts = number_in(slurm_hosts, 1);
  if (tasks.all != places || hosts < 2) return;
  refuse(tasks, fmt::format("srun has started {} processes on {} hosts ({}={}), and `earl exec` "
                            "joins those of one; in the allocation `earl run --on mpi`, once and "
                            "without srun, takes several",
                            tasks.all, hosts, slurm_hosts, hosts));
}

}  // namespace earl::exec
