// SPDX-License-Identifier: BSD-3-Clause
/// EXEC's request to a host, in a job of several: the launcher runs where EXEC does and reaches the
/// other hosts through EXEC's agents, which are there already, instead of ssh.
#pragma once

#include <string>
#include <string_view>

#include "backends/hosted/launcher.hpp"
#include "backends/hosted/library.hpp"
#include "backends/hosted/spread.hpp"
#include "generic/base/wire.hpp"

namespace earl::hosted_backend {

inline constexpr std::uint32_t most_spread = 1U << 20;  ///< ranks of a spread job

struct RemoteCommand {
  std::string word;     ///< Library::word
  Spread spread;        ///< with the host that is asked
  std::string command;  ///< of the launcher, for a shell; empty: no process is there

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(self.word, self.spread.here, limited(self.spread.hosts, most_spread, "hosts"),
          self.command);
  }
};

/// Like JobFacts::remote_command.
std::string in_bytes(RemoteCommand const& remote_command);
/// Throws Error when that is none.
RemoteCommand remote_command_from(std::string_view bytes);

/// The name of the n-th host for a launcher: a name that no host has, so that it takes none for its
/// own and asks for a shell on each.
std::string name_of_host(std::uint32_t number);

/// Waits until the launcher has requested a shell on each of `hosts` hosts; `lines` must be kept as
/// long as the commands run there. Throws Error when it does not.
std::vector<std::string> take_commands(Launcher& launcher, Library const& library,
                                       std::size_t hosts, std::vector<Descriptor>& lines);

}  // namespace earl::hosted_backend
