// SPDX-License-Identifier: BSD-3-Clause
/// `earl tools`.
#include <fmt/format.h>

#include "debug/registry.hpp"
#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/layout.hpp"

namespace earl::exec {

int tools_command(std::vector<std::string> const& arguments) {
  CommandLine line("earl tools", "List debuggers, and how to add one of your own.\n");
  line.parse_all(arguments);
  for (auto const* row : tools()) fmt::print("{:<12} {}\n", row->name, row->summary);
  fmt::print(
      "\nOne of your own is a shared library that includes earl/tool.h and links nothing:\n"
      "  cc -shared -fPIC -I{} -o mine.so mine.c\n"
      "  earl run --tool ./mine.so:ARGUMENT ...\n"
      "A half in EXEC, which a job has once, includes earl/job_tool.h, too.\n",
      find_layout().tool_headers());
  return 0;
}

}  // namespace earl::exec
