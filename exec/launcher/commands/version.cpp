// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "backends/registry.hpp"
#include "debug/registry.hpp"
#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/json_output.hpp"
#include "exec/launcher/front_ends.hpp"

namespace earl::exec {

namespace {

nlohmann::json part(std::string_view name, std::string_view summary) {
  return {{"name", name}, {"summary", summary}};
}

nlohmann::json as_json() {
  nlohmann::json all = {{"version", EARL_VERSION}};
  for (auto const* row : back_ends()) all["back_ends"].push_back(part(row->name, row->summary));
  for (auto const& row : front_ends()) all["front_ends"].push_back(part(row.name, row.title));
  for (auto const* row : tools()) all["debuggers"].push_back(part(row->name, row->summary));
  return all;
}

void show() {
  fmt::print("earl {}\n", EARL_VERSION);
  for (auto const* row : back_ends()) fmt::print("back end   {:<11} {}\n", row->name, row->summary);
  for (auto const& row : front_ends()) fmt::print("front end  {:<11} {}\n", row.name, row.title);
  for (auto const* row : tools()) fmt::print("debugger   {:<11} {}\n", row->name, row->summary);
}

}  // namespace

int version_command(std::vector<std::string> const& arguments) {
  CommandLine line("earl version",
                   "Show the version of Earl, its back ends, front ends and debuggers.\n");
  bool json = false;
  line.add_flag({.names = "--json", .help = "Print JSON"}, json);
  line.parse_all(arguments);
  json ? print_json(as_json()) : show();
  return 0;
}

}  // namespace earl::exec
