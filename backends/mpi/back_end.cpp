// SPDX-License-Identifier: BSD-3-Clause
/// The back end's row: jobs as backends/hosted has them, on the MPI library that was chosen.
#include <cstdlib>

#include "backends/hosted/job.hpp"
#include "backends/hosted/remote_command.hpp"
#include "backends/hosted/tasks.hpp"
#include "backends/mpi/library.hpp"
#include "backends/mpi/module.hpp"
#include "generic/base/number.hpp"
#include "generic/system/installed_files.hpp"
#include "generic/system/slurm_step.hpp"

namespace earl {

namespace mpi_backend {
namespace {

/// Where MPICH's launcher has written the number of the descriptor that it hands down.
constexpr char const* handed = "PMI_FD";

hosted_backend::Library facts_of(Mpi const& mpi) {
  return {.back_end = "MPI",
          .title = mpi.title,
          .launcher = std::string{mpi.launcher},
          .path = find_command(mpi.launcher),
          .options = mpi.options,
          .rank = mpi.rank,
          .handed = handed,
          .folder = mpi.folder,
          .settings = mpi.settings,
          .variables = {fmt::format("{}={}", library_variable, mpi.word)},
          .word = mpi.word,
          .spread = mpi.spread,
          .spread_settings = mpi.spread_settings};
}

/// On one of several hosts: the one that EXEC has chosen.
Mpi const& library_for(JobFacts const& facts) {
  if (facts.remote_command.empty()) return choose_library();
  auto const& mpi = library_named(hosted_backend::remote_command_from(facts.remote_command).word);
  if (auto const why = objection_to(mpi); !why.empty()) throw Error("{}", why);
  return mpi;
}

std::unique_ptr<PreparedJob> prepare(JobFacts const& facts) {
  return hosted_backend::prepare(facts_of(library_for(facts)), facts);
}

std::unique_ptr<SpanningJob> span(std::span<std::uint32_t const> hosts) {
  return hosted_backend::span(facts_of(choose_library()), hosts);
}

std::unique_ptr<UserLauncher> launcher_without_library(hosted_backend::Library library,
                                                       hosted_backend::UserVariables variables) {
  return hosted_backend::launcher_for_shared_memory(std::move(library), std::move(variables));
}

/// An MPI's where this Earl has a part for it, whose settings come with the processes: the launcher
/// has been started without them.
std::unique_ptr<UserLauncher> user_launcher() {
  for (auto const& mpi : libraries()) {
    auto facts = facts_of(mpi);
    facts.launcher = "mpiexec";
    facts.variables.insert(facts.variables.end(), mpi.settings.begin(), mpi.settings.end());
    auto const make =
        objection_to_part(mpi).empty() ? hosted_backend::user_launcher : launcher_without_library;
    if (auto found =
            make(std::move(facts), {.all = mpi.all, .here = mpi.here, .prefixes = mpi.prefixes}))
      return found;
  }
  return hosted_backend::find_task_launcher();
}

UserLauncher::Part launched() {
  for (auto const& place : {mpich_place, open_mpi_place})
    if (auto const all = number_in_variable(place.all, 1U); all > 1)
      return {.rank = number_in_variable(place.rank, 0U), .all = all};
  auto const step = slurm_step();
  return {.rank = step.rank, .all = step.tasks};
}

earl_library_calls const& load() {
  char const* const word = std::getenv(library_variable);
  return load_module(find_module(library_named(word ? word : "")));
}

std::unique_ptr<Port> join(std::span<int const> descriptors, Rank rank) {
  return hosted_backend::join({.handed = handed, .load = load}, descriptors, rank);
}

std::vector<NativeLibrary> describe_all() {
  std::vector<NativeLibrary> all;
  for (auto const& library : libraries()) all.push_back(description(library, look_for(library)));
  return all;
}

}  // namespace
}  // namespace mpi_backend

extern Backend const mpi_back_end;
Backend const mpi_back_end{
    .name = "mpi",
    .summary = "processes of one host or of several, through MPICH or Open MPI",
    .prepare = mpi_backend::prepare,
    .join = mpi_backend::join,
    .libraries = mpi_backend::describe_all,
    .spans_hosts = true,
    .span = mpi_backend::span,
    .user_launcher = mpi_backend::user_launcher,
    .launched = mpi_backend::launched,
    .spawns = false,
    .outlives_a_death = false,
};

}  // namespace earl
