// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/tasks.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "backends/registry.hpp"
#include "exec/launcher/hosts/batch.hpp"
#include "exec/launcher/hosts/host_list.hpp"
#include "exec/launcher/plan.hpp"
#include "generic/system/slurm_step.hpp"

namespace earl::exec {

namespace {

constexpr char slurm_step_hosts[] = "SLURM_STEP_NODELIST";
constexpr char slurm_step_counts[] = "SLURM_STEP_TASKS_PER_NODE";

struct Tasks {
  std::uint32_t rank = 0;
  std::uint32_t all = 1;
  std::string origin{};  ///< their launcher and how it shows, for people
};

Tasks tasks_of(SlurmStep const& step) {
  return {.rank = step.rank,
          .all = step.tasks,
          .origin = fmt::format("srun ({}={})", slurm_tasks, step.tasks)};
}

Tasks find_tasks() {
  if (auto const step = slurm_step(); step.tasks > 1) return tasks_of(step);
  for (auto const* row : back_ends())
    if (auto const part = row->launched(); part.all > 1)
      return {.rank = part.rank, .all = part.all, .origin = "mpiexec (by PMI_SIZE or its like)"};
  return {};
}

std::string slurm_variable(char const* name) {
  char const* const value = std::getenv(name);
  return value ? value : "";
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
                    "place makes one job of what mpiexec or srun has started on one host; with "
                    "--hosts none each process has a job of its own",
                    tasks.origin, tasks.all, command));
}

void refuse_tasks_without_launcher() {
  auto const tasks = tasks_of(slurm_step());
  if (tasks.all < 2) return;
  refuse(tasks, fmt::format(
                    "{} has started {} processes, which cannot become one job: this Earl was built "
                    "without the back end mpi, which joins them; start `earl run` once and "
                    "without srun, which takes the hosts of the allocation",
                    tasks.origin, tasks.all));
}

std::vector<RequestedHost> hosts_of_tasks(std::uint32_t places) {
  auto const step = slurm_step();
  if (step.tasks != places || step.hosts < 2) return {};
  auto const list = slurm_variable(slurm_step_hosts);
  auto const names = slurm_names(list);
  auto const counts = slurm_counts(slurm_variable(slurm_step_counts));
  if (!names || !counts || names->size() != step.hosts || counts->size() != step.hosts)
    refuse(tasks_of(step),
           fmt::format("{}={} and {}={} do not name {} hosts with their tasks; in the allocation "
                       "`earl run`, once and without srun, starts the processes",
                       slurm_step_hosts, list, slurm_step_counts, slurm_variable(slurm_step_counts),
                       step.hosts));
  std::vector<RequestedHost> hosts;
  for (std::size_t i = 0; i < names->size(); ++i)
    hosts.push_back({.name = (*names)[i], .slots = (*counts)[i]});
  check_hosts(hosts);
  return hosts;
}

}  // namespace earl::exec
