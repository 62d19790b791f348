// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's request to a host, in a job of several: the launcher runs where EXEC does and reaches the
/// other hosts through EXEC's agents, which are there already, instead of ssh.
#pragma once

#include <string>
#include <string_view>

#include "backends/hosted/launcher.hpp"
#include "backends/hosted/library.hpp"
#include "backends/hosted/spread.hpp"

namespace earl::library_machine {

struct RemoteCommand {
  std::string word;     ///< Library::word
  Spread spread;        ///< with the host that is asked
  std::string command;  ///< of the launcher, for a shell; empty: no process is there
};

/// As JobFacts::remote command.
std::string in_bytes(RemoteCommand const& remote_command);
/// Throws Error when that is none.
RemoteCommand remote_command_from(std::string_view bytes);

/// How a launcher is to call the n-th host: a name that no host has, so that it takes none for its
/// own and asks for a shell on each.
std::string name_of_host(std::uint32_t number);

/// Waits until the launcher has requested a shell on each of `hosts` hosts; `lines` must be kept as
/// long as the commands run there. Throws Error when it does not.
std::vector<std::string> take_commands(Launcher& launcher, Library const& library,
                                       std::size_t hosts, std::vector<Descriptor>& lines);

}  // namespace earl::library_machine
