// SPDX-License-Identifier: BSD-3-Clause
/// The objects of the console's commands.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exec/launcher/commands/session_client.hpp"
#include "generic/services/notices.hpp"

namespace earl::exec {

enum class After { go_on, leave };

struct ConsoleCommand {
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;
  /// Takes the arguments after the name. Throws Error with a sentence for the user, who may go on
  /// then.
  After (*run)(SessionClient& job, std::vector<std::string> const& arguments);
};

/// In the order of `help`.
std::span<ConsoleCommand const> console_commands();

}  // namespace earl::exec
