// SPDX-License-Identifier: BSD-3-Clause
#include "backends/mpi/library.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <utility>

#include "backends/hosted/remote_command.hpp"
#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::mpi_backend {

namespace {

/// UCX would watch the program's memory, catch its signals and comment on its environment.
constexpr char const* quiet_ucx[] = {"UCX_MEM_EVENTS=no", "UCX_HANDLE_ERRORS=none",
                                     "UCX_WARN_UNUSED_ENV_VARS=n", "UCX_LOG_LEVEL=error"};

std::vector<std::string> with_quiet_ucx(std::vector<std::string> settings) {
  settings.insert(settings.end(), std::begin(quiet_ucx), std::end(quiet_ucx));
  return settings;
}

/// "earl-0:2,earl-1:2": MPICH fills them in that order, then all again, as EXEC does.
std::string with_slots(std::span<std::uint32_t const> hosts) {
  std::string list;
  std::uint32_t known = 0;
  for (std::size_t i = 0; i < hosts.size() && hosts[i] == known; ++known) {
    auto const first = i;
    while (i < hosts.size() && hosts[i] == known) ++i;
    list += fmt::format("{}{}:{}", known == 0 ? "" : ",", hosted_backend::name_of_host(known),
                        i - first);
  }
  return list;
}

/// "earl-0,earl-0,earl-1": Open MPI's way to say each rank's.
std::string one_by_one(std::span<std::uint32_t const> hosts) {
  std::string list;
  for (auto const host : hosts)
    list += fmt::format("{}{}", list.empty() ? "" : ",", hosted_backend::name_of_host(host));
  return list;
}

/// For any batch system around: EXEC knows the hosts.
std::vector<std::string> mpich_spread(std::string const& shell,
                                      std::span<std::uint32_t const> hosts) {
  return {"-rmk", "user", "-launcher", "ssh", "-launcher-exec", shell, "-hosts", with_slots(hosts)};
}

std::vector<std::string> open_mpi_spread(std::string const& shell,
                                         std::span<std::uint32_t const> hosts) {
  std::vector<std::string> arguments{"--leave-session-attached"};
  for (auto const& [key, value] : std::initializer_list<std::pair<char const*, std::string>>{
           {"plm", "rsh"},
           {"plm_rsh_agent", shell},
           {"plm_rsh_no_tree_spawn", "1"},
           {"plm_rsh_num_concurrent", std::to_string(hosts.size())},
           {"ras", "^slurm,tm,lsf,gridengine,alps"},
           {"orte_do_not_resolve", "1"},
           {"rmaps", "seq"}})
    arguments.insert(arguments.end(), {"-mca", key, value});
  arguments.insert(arguments.end(), {"-host", one_by_one(hosts)});
  return arguments;
}

std::string accepted_values() {
  std::string all;
  for (auto const& library : libraries())
    all += fmt::format("{}{}", all.empty() ? "" : " or ", library.word);
  return all;
}

}  // namespace

std::string objection_to_part(Mpi const& library) {
  if (look_for(library).part) return {};
  return fmt::format(
      "this Earl has no part for {}: install its package earl-mpi or, for an Earl that is built "
      "from source, {} (apt-get install {}), and build again",
      library.title, library.sources, library.sources);
}

std::string objection_to(Mpi const& library) {
  if (auto why = objection_to_part(library); !why.empty()) return why;
  if (!look_for(library).launcher)
    return fmt::format(
        "there is no {} here, the launcher of {}; install the package {} (apt-get install {})",
        library.launcher, library.title, library.package, library.package);
  return {};
}

Mpi const& library_named(std::string_view word) {
  auto const found = std::ranges::find(libraries(), word, &Mpi::word);
  if (found == libraries().end())
    throw Error("{} is \"{}\"; it can be {}", library_variable, word, accepted_values());
  return *found;
}

std::span<Mpi const> libraries() {
  static std::array<Mpi, 2> const all{
      Mpi{.word = "mpich",
          .title = "MPICH",
          .module = "earl-mpich.so",
          .launcher = "mpiexec.mpich",
          .package = "mpich",
          .sources = "libmpich-dev",
          .rank = mpich_place.rank,
          .all = mpich_place.all,
          .here = "MPI_LOCALNRANKS",
          .prefixes = {"PMI_", "PMIX_", "MPI_LOCAL", "HYDI_", "MPIR_CVAR_CH3_INTERFACE_HOSTNAME"},
          .folder = {},
          .options = {},
          .spread = mpich_spread,
          // Otherwise it would not start a shell for the host that it takes for its own.
          .spread_settings = {"HYDRA_LAUNCHER_AUTOFORK=0"},
          .settings = with_quiet_ucx({})},
      Mpi{.word = "openmpi",
          .title = "Open MPI",
          .module = "earl-openmpi.so",
          .launcher = "mpiexec.openmpi",
          .package = "openmpi-bin",
          .sources = "libopenmpi-dev",
          .rank = open_mpi_place.rank,
          .all = open_mpi_place.all,
          .here = "OMPI_COMM_WORLD_LOCAL_SIZE",
          .prefixes = {"OMPI_", "PMIX_"},
          .folder = "OMPI_MCA_btl_vader_backing_directory",
          .options = {"--allow-run-as-root", "--oversubscribe", "--bind-to", "none"},
          .spread = open_mpi_spread,
          .spread_settings = {},
          .settings = with_quiet_ucx({"OMPI_MCA_opal_signal=", "OMPI_MCA_memory=^patcher"})}};
  return all;
}

std::string find_module(Mpi const& library) { return find_part("backends/mpi", library.module); }

Presence look_for(Mpi const& library) {
  return {.part = !find_module(library).empty(),
          .launcher = !find_command(library.launcher).empty()};
}

NativeLibrary description(Mpi const& library, Presence found) {
  NativeLibrary all{.title = library.title};
  (found.part ? all.here : all.missing).emplace_back(library.module);
  (found.launcher ? all.here : all.missing).emplace_back(library.launcher);
  if (all.missing.empty()) return all;
  all.remedy = "apt-get install";
  if (!found.part) all.remedy += fmt::format(" {}", library.sources);
  if (!found.launcher) all.remedy += fmt::format(" {}", library.package);
  if (!found.part) all.remedy += ", and build Earl again or install its package earl-mpi";
  return all;
}

Mpi const& choose_library() {
  char const* const word = std::getenv(library_variable);
  auto const* chosen = word ? &library_named(word) : nullptr;
  for (auto const& library : libraries())
    if (!chosen && objection_to(library).empty()) chosen = &library;
  if (!chosen) chosen = &libraries().front();
  if (auto const why = objection_to(*chosen); !why.empty()) throw Error("{}", why);
  return *chosen;
}

}  // namespace earl::mpi_backend
