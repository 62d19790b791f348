// SPDX-License-Identifier: BSD-3-Clause
/// Commands of other systems. Scripts in libexec/earl/compat call them as `earl compat NAME`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/nearest.hpp"

namespace earl::exec {

int compat_command(std::vector<std::string> const& arguments) {
  auto const cube = cube_commands();
  std::vector commands(cube.begin(), cube.end());
  commands.push_back({.name = "pvm", .summary = {}, .run = pvm_command});
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (auto const& command : commands) names.emplace_back(command.name);
  auto const named = arguments.empty() ? "" : arguments[0];
  if (named == "-h" || named == "--help") {
    fmt::print(
        "Usage: earl compat COMMAND ...   (commands of other systems; each explains itself with "
        "-h)\n\n  {}\n",
        fmt::join(names, "\n  "));
    return 0;
  }
  auto const found = std::ranges::find(commands, named, &Command::name);
  if (found == commands.end())
    throw UsageError("earl compat needs one of these: {}{}", fmt::join(names, ", "),
                     guess(named, names));
  return found->run({arguments.begin() + 1, arguments.end()});
}

}  // namespace earl::exec
