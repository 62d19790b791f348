// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/commands/info_back_ends.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "backends/registry.hpp"
#include "exec/launcher/commands/json_output.hpp"
#include "exec/launcher/programs/report.hpp"

namespace earl::exec {

namespace {

/// The abilities that its jobs lack, as README's table has them.
std::vector<std::string_view> missing_abilities(Backend const& row) {
  std::vector<std::string_view> missing;
  if (!row.spawns) missing.emplace_back("spawn processes");
  if (!row.forks) missing.emplace_back("have ranks created by fork");
  if (!row.outlives_a_death) missing.emplace_back("continue after the death of a rank");
  if (!row.packets_outlive_sender) missing.emplace_back("deliver unsent data of a killed rank");
  return missing;
}

/// Its way to join several hosts, as short text; empty: it runs on one.
std::string hosts_of(Backend const& row) {
  if (row.spans_hosts) return "of its own";
  if (!joins_hosts(row)) return {};
  auto const why = row.connectivity().why;
  return why.empty() ? fmt::format("by {}", row.name) : fmt::format("by {} ({})", row.name, why);
}

nlohmann::json libraries_of(Backend const& row) {
  auto all = nlohmann::json::array();
  if (!row.libraries) return all;
  for (auto const& library : row.libraries())
    all.push_back({{"title", library.title},
                   {"here", library.here},
                   {"missing", library.missing},
                   {"remedy", library.remedy}});
  return all;
}

/// A real one is there for users: --on lists it.
enum class Audience { users, authors };

nlohmann::json as_json(Backend const& row, Audience audience) {
  auto const unusable = why_unusable(row);
  return {{"name", row.name},
          {"summary", row.summary},
          {"listed", audience == Audience::users},
          {"can_run", unusable.empty()},
          {"why_not", unusable},
          {"hosts", hosts_of(row)},
          {"encrypts", row.encrypts},
          {"one_process", row.shared_process != nullptr},
          {"spawns", row.spawns},
          {"forks", row.forks},
          {"outlives_a_death", row.outlives_a_death},
          {"packets_outlive_sender", row.packets_outlive_sender},
          {"cannot", missing_abilities(row)},
          {"libraries", libraries_of(row)}};
}

void show(Backend const& row) {
  fmt::print("{}: {}\n", row.name, row.summary);
  auto const unusable = why_unusable(row);
  unusable.empty() ? fmt::print("  runs here\n") : fmt::print("  {:<11}{}\n", "not here", unusable);
  if (auto const hosts = hosts_of(row); !hosts.empty())
    fmt::print("  {:<11}several, {}\n", "hosts", hosts);
  if (auto const missing = missing_abilities(row); !missing.empty())
    fmt::print("  {:<11}{}\n", "cannot", fmt::join(missing, "; "));
  if (!row.libraries) return;
  for (auto const& library : row.libraries()) {
    auto const state =
        library.missing.empty()
            ? fmt::format("{}", fmt::join(library.here, ", "))
            : fmt::format("missing: {}; {}", fmt::join(library.missing, ", "), library.remedy);
    fmt::print("  {:<11}{}: {}\n", "library", library.title, state);
  }
}

}  // namespace

void show_back_ends(bool json) {
  auto all = nlohmann::json::array();
  for (auto const* row : back_ends())
    json ? all.push_back(as_json(*row, Audience::users)) : show(*row);
  for (auto const* row : unlisted_back_ends())
    json ? all.push_back(as_json(*row, Audience::authors)) : show(*row);
  if (json) print_json(all);
}

}  // namespace earl::exec
