// SPDX-License-Identifier: BSD-3-Clause
/// Other people's commands that start something on a host, by the names people know them by.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace earl::exec {

struct Launcher {
  std::string_view name;
  std::string_view options;  ///< behind its name; %h is the host
  std::string_view package;  ///< of Debian; empty: none
};

std::span<Launcher const> launchers();

/// `text` as the user said it, or in full where it is only the name of a launcher: `srun`,
/// `mpiexec.hydra`, `/opt/mpich/bin/mpiexec`.
std::string full_launcher(std::string const& text);

/// Whether two such launchers that start at once may be in each other's way.
bool starts_one_host_at_a_time(std::string_view launcher);

/// The command that begins on the host `name`: in `launcher`, %h is the host;
/// `arguments` are the command to run there. Throws UsageError when no word has the host.
std::vector<std::string> launch_command(std::string_view launcher, std::string const& name,
                                        std::vector<std::string> const& arguments);

}  // namespace earl::exec
