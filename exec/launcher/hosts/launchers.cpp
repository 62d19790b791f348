// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/launchers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "exec/launcher/plan.hpp"
#include "generic/base/words.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::exec {

namespace {

// All of the host's CPUs are the job's, independent of the share of one task. These arguments mean
// the same to MPICH's mpiexec and to Open MPI's.
constexpr std::string_view of_mpi = "-n 1 -bind-to none -host %h";

constexpr std::array launcher_table{
    Launcher{.name = "ssh", .options = "%h", .package = "openssh-client"},
    Launcher{.name = "mpiexec", .options = of_mpi, .package = "mpich"},
    Launcher{.name = "mpirun", .options = of_mpi, .package = "openmpi-bin"},
    Launcher{
        .name = "srun",
        .options = "-Q --nodes=1 --ntasks=1 --nodelist=%h --overlap --cpu-bind=none --mpi=none",
        .package = "slurm-client"},
    Launcher{.name = "oarsh", .options = "%h", .package = {}},
    Launcher{.name = "blaunch", .options = "%h", .package = {}},
    Launcher{.name = "qrsh", .options = "-inherit %h", .package = {}},
};

/// `mpiexec` of /usr/bin/mpiexec.hydra.
std::string_view launcher_name_in(std::string_view text) {
  text.remove_prefix(std::min(text.rfind('/') + 1, text.size()));
  return text.substr(0, text.find('.'));
}

}  // namespace

std::span<Launcher const> launchers() { return launcher_table; }

std::string full_launcher(std::string const& text) {
  auto const row = std::ranges::find(launcher_table, launcher_name_in(text), &Launcher::name);
  return row == launcher_table.end() ? text : fmt::format("{} {}", text, row->options);
}

// Open MPI's (4.1.4) make and remove one folder for all, and fail when it comes while they make it.
bool starts_one_host_at_a_time(std::string_view launcher) {
  std::error_code ignored;
  auto const name = launcher.substr(0, launcher.find(' '));
  auto const path =
      name.find('/') == std::string_view::npos ? find_command(name) : std::string(name);
  auto const file = std::filesystem::canonical(path, ignored).filename();
  return file == "orterun" || file == "prterun";
}

std::vector<std::string> launch_command(std::string_view launcher, std::string const& name,
                                        std::vector<std::string> const& arguments) {
  auto command = split_words(launcher);
  bool names_host = false;
  for (auto& part : command) {
    for (auto at = part.find("%h"); at != std::string::npos; at = part.find("%h", at)) {
      part.replace(at, 2, name);
      at += name.size();
      names_host = true;
    }
  }
  if (!command.empty() && !names_host) command.push_back(name);
  if (command.empty()) throw UsageError("a command is needed, as in 'ssh %h'");
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

}  // namespace earl::exec
