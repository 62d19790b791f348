// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/settings/settings_file.hpp"

namespace earl::exec {

namespace {

void show(Settings const& settings) {
  for (auto const& row : setting_rows()) {
    auto const& value = settings.at(row);
    fmt::print("{} = {}\n    {}\n", row.key, value.text, value.origin);
  }
}

std::string fate(SettingsFile const& file) {
  if (!file.refusal.empty()) return "not read: " + file.refusal;
  return file.read ? "read" : "not there";
}

}  // namespace

int config_command(std::vector<std::string> const& words) {
  auto const settings_there = read_configuration(find_layout());
  auto const settings = parse_config(words, settings_there.settings);
  show(settings);
  fmt::print("\nFiles, each over the one before, the environment and the command line over all:\n");
  for (auto const& file : settings_there.files) fmt::print("    {}: {}\n", file.path, fate(file));
  return 0;
}

}  // namespace earl::exec
