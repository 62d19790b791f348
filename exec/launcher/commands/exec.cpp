// SPDX-License-Identifier: BSD-3-Clause
/// `mpiexec -n 4 earl exec ./node`: processes in places that the user's own launcher has made.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/registry.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/commands/run.hpp"
#include "exec/launcher/hosts/launchers.hpp"
#include "exec/launcher/hosts/tasks.hpp"
#include "exec/launcher/resources/processors.hpp"

namespace earl::exec {

namespace {

using Arguments = std::vector<std::string>;

std::shared_ptr<UserLauncher> find_user_launcher() {
  for (auto const* row : back_ends())
    if (row->user_launcher)
      if (auto found = row->user_launcher()) return found;
  return nullptr;
}

constexpr char summary[] =
    "Below mpiexec on one host, or below srun: run the program as one of the processes of a job,\n"
    "which all that it has started are. Alone: a job of one process.\n";

Plan parse(Arguments const& arguments, UserLauncher const* launcher, Settings const& settings) {
  return parse_job({.command = "earl exec",
                    .summary = summary,
                    .places = launcher ? launcher->part().all : 1,
                    .back_end = std::string(launcher ? launcher->back_end() : "mpi")},
                   arguments, settings);
}

void check_hosts(UserLauncher const& launcher) {
  auto const part = launcher.part();
  if (part.here < part.all)
    throw UsageError(
        "{} has started {} processes and {} of them on this host, and `earl exec` joins those of "
        "one; for several there is `earl run --hosts HOST:{},...{}`",
        launcher.name(), part.all, part.here, part.here,
        launcher.back_end() == "mpi" ? " --on mpi" : "");
}

/// Below srun on several hosts: agents start the processes, as in an allocation, and the places of
/// the other tasks stay empty.
int run_on_hosts(Arguments const& arguments, UserLauncher::Part const& part,
                 std::vector<RequestedHost> hosts) {
  if (part.rank != 0) return 0;
  auto plan = parse_job({.command = "earl exec",
                         .summary = summary,
                         .places = part.all,
                         .back_end = "shm",
                         .hosts = std::move(hosts)},
                        arguments, configured());
  plan.launcher = full_launcher("srun");
  use_all_processors();
  return run_plan(std::move(plan));
}

/// A process with another program than the one before it begins a part of its own.
Plan plan_for(std::vector<Arguments> const& said, UserLauncher const& launcher) {
  auto const settings = configured();
  auto plan = parse(said.front(), &launcher, settings);
  plan.apps.front().count = 1;
  for (std::size_t rank = 1; rank < said.size(); ++rank) {
    if (said[rank] != said[rank - 1]) {
      plan.apps.push_back(parse(said[rank], &launcher, settings).apps.front());
      plan.apps.back().count = 0;
    }
    ++plan.apps.back().count;
  }
  return plan;
}

}  // namespace

/// The first process reports faults in their arguments, or in all.
int exec_command(std::vector<std::string> const& arguments) {
  auto const launcher = find_user_launcher();
  if (!launcher) {
    refuse_tasks_without_launcher();
    return run_plan(parse(arguments, nullptr, configured()));
  }
  auto const part = launcher->part();
  if (auto hosts = hosts_of_tasks(part.all); !hosts.empty())
    return run_on_hosts(arguments, part, std::move(hosts));
  if (part.rank != 0 && part.here < part.all) return exit_usage;
  if (part.rank != 0) launcher->keep_place(arguments);
  check_hosts(*launcher);
  auto plan = plan_for(launcher->gather(arguments), *launcher);
  plan.user_launcher = launcher;
  return run_plan(std::move(plan));
}

}  // namespace earl::exec
