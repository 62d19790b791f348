// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/settings/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "exec/launcher/children/mark.hpp"
#include "exec/launcher/settings/settings.hpp"

namespace earl::exec {

namespace {

bool assigns(std::string_view assignment, std::string_view name) {
  return assignment.size() > name.size() && assignment.starts_with(name) &&
         assignment[name.size()] == '=';
}

/// Variables that Earl's launcher sets or reads. Those of front ends are the program's.
bool is_earls_own(std::string_view name) {
  constexpr std::array<std::string_view, 6> others{"EARL_CONFIG",  "EARL_CUBE",   "EARL_WAIT",
                                                   "EARL_SPIN_US", "EARL_YIELDS", mark_variable};
  return name == control::variable || name == control::rank_variable ||
         std::ranges::count(others, name) != 0 ||
         std::ranges::any_of(setting_rows(),
                             [name](auto const& row) { return row.variable() == name; });
}

std::string_view name_in(std::string_view assignment) {
  return assignment.substr(0, assignment.find('='));
}

}  // namespace

std::vector<std::string> base_environment(Plan const& plan) {
  return plan.environment ? *plan.environment : own_environment();
}

std::vector<std::string> program_environment() {
  auto environment = own_environment();
  std::erase_if(environment, [](auto const& entry) { return is_earls_own(name_in(entry)); });
  return environment;
}

std::vector<std::string> recorded_environment(std::vector<std::string> kept) {
  for (auto& entry : own_environment())
    if (is_earls_own(name_in(entry))) kept.push_back(std::move(entry));
  return kept;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> environment;
  for (char** entry = environ; entry && *entry; ++entry) environment.emplace_back(*entry);
  return environment;
}

void set(std::vector<std::string>& environment, std::string_view assignment) {
  auto const name = assignment.substr(0, assignment.find('='));
  if (name.size() == assignment.size()) return;
  unset(environment, name);
  environment.emplace_back(assignment);
}

void unset(std::vector<std::string>& environment, std::string_view name) {
  std::erase_if(environment, [&](auto const& entry) { return assigns(entry, name); });
}

std::optional<std::string> value_of(std::vector<std::string> const& environment,
                                    std::string_view name) {
  for (auto const& entry : environment)
    if (assigns(entry, name)) return entry.substr(name.size() + 1);
  return std::nullopt;
}

std::vector<std::string> environment_of(App const& app, Plan const& plan) {
  auto environment = app.bare_environment ? std::vector<std::string>{} : base_environment(plan);
  for (auto const& assignment : app.assignments) set(environment, assignment);
  return environment;
}

std::vector<std::string> command_of(Plan const& plan) {
  std::vector<std::string> command;
  for (auto const& app : plan.apps) {
    if (!command.empty()) command.emplace_back(":");
    bool const one = app.counted && app.count == 1;  // and so no host
    if (plan.apps.size() > 1 || one)
      command.insert(command.end(), {"-n", std::to_string(app.count)});
    if (!app.folder.empty()) command.insert(command.end(), {"--wdir", app.folder});
    if (app.bare_environment) command.insert(command.end(), {"--env", "none"});
    for (auto const& assignment : app.assignments)
      command.insert(command.end(), {"-x", assignment});
    if (!app.processors.empty()) command.insert(command.end(), {"--cpus", app.processors});
    command.insert(command.end(), app.command.begin(), app.command.end());
  }
  return command;
}

}  // namespace earl::exec
