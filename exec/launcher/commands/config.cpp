// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/json_output.hpp"
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

void show(std::vector<SettingsFile> const& files) {
  fmt::print("\nFiles, each over the one before, the environment and the command line over all:\n");
  for (auto const& file : files) fmt::print("    {}: {}\n", file.path, fate(file));
}

nlohmann::json as_json(Settings const& settings, std::vector<SettingsFile> const& files) {
  auto values = nlohmann::json::object();
  for (auto const& row : setting_rows()) {
    auto const& value = settings.at(row);
    values[std::string(row.key)] = {{"value", value.text}, {"origin", value.origin}};
  }
  auto read = nlohmann::json::array();
  for (auto const& file : files)
    read.push_back({{"path", file.path}, {"read", file.read}, {"refusal", file.refusal}});
  return {{"settings", std::move(values)}, {"files", std::move(read)}};
}

}  // namespace

int config_command(std::vector<std::string> const& arguments) {
  auto const [settings, files] = read_configuration(find_layout());
  auto const plan = parse_config(arguments, settings);
  if (plan.json) {
    print_json(as_json(plan.settings, files));
  } else {
    show(plan.settings);
    show(files);
  }
  return 0;
}

}  // namespace earl::exec
