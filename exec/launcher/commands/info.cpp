// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/programs/programs.hpp"
#include "exec/launcher/programs/report.hpp"

namespace earl::exec {

namespace {

constexpr std::size_t line_width = 90;
constexpr std::size_t heading_width = 13;

/// Words under a heading, wrapped.
void show_list(std::string_view heading, std::vector<std::string> const& words) {
  std::string line = fmt::format("  {:<11}", heading);
  for (auto const& word : words) {
    if (line.size() > heading_width && line.size() + word.size() >= line_width) {
      fmt::print("{}\n", line);
      line = std::string(heading_width, ' ');
    }
    line += word + " ";
  }
  fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
}

/// Empty: the program does not say.
std::string_view side_of(FileFacts const& facts) {
  if (facts.side == Side::host) return "host";
  return facts.side == Side::node ? "node" : "";
}

std::string title_of(Report const& report) {
  if (!report.front_end) return report.objection;
  auto const side = side_of(report.facts);
  auto const program = fmt::format("a {}{}program", side, side.empty() ? "" : " ");
  auto const what = report.objection.empty() ? program : report.objection;
  return fmt::format("{} for {} ({})", what, report.front_end->title, report.front_end->name);
}

void show(Report const& report) {
  fmt::print("{}: {}\n", report.path, title_of(report));
  if (!report.facts.needed.empty()) show_list("needs", report.facts.needed);
  if (!report.facts.search.empty()) show_list("looks in", {report.facts.search});
  if (!report.front_end) return;
  show_list("here", report.libraries.empty() ? std::vector<std::string>{"none of Earl's is found"}
                                             : report.libraries);
  show_list("calls", report.calls);
  if (!report.stubs.empty()) show_list("not yet", report.stubs);
  for (auto const& verdict : report.verdicts) {
    if (!verdict.objection.empty())
      show_list("not on", {verdict.back_end + ": " + verdict.objection});
    else if (!verdict.failing.empty())
      show_list("partly on", {fmt::format("{}: its jobs take no further processes, so {} fails",
                                          verdict.back_end, fmt::join(verdict.failing, ", "))});
    else
      show_list("runs on", {verdict.back_end});
  }
}

void show_json(Report const& report) {
  nlohmann::json machines = nlohmann::json::array();
  for (auto const& verdict : report.verdicts)
    machines.push_back({{"name", verdict.back_end},
                        {"can_run", verdict.objection.empty()},
                        {"failing_calls", verdict.failing},
                        {"why_not", verdict.objection}});
  nlohmann::json const all{
      {"path", report.path},           {"api", report.front_end ? report.front_end->name : ""},
      {"side", side_of(report.facts)}, {"objection", report.objection},
      {"needs", report.facts.needed},  {"looks_in", report.facts.search},
      {"libraries", report.libraries}, {"calls", report.calls},
      {"not_yet", report.stubs},       {"machines", machines}};
  // A file's own strings may be in any encoding.
  fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

int info_command(std::vector<std::string> const& words) {
  auto const plan = parse_info(words);
  auto const layout = find_layout();
  auto const path = find_file({.name = plan.program, .libraries = layout.libraries});
  if (!std::filesystem::exists(path))
    throw Refusal(exit_not_found, SpawnFault::not_found,
                  fmt::format("there is no program {}", path));
  if (std::filesystem::is_directory(path))
    throw Refusal(exit_not_executable, SpawnFault::denied,
                  fmt::format("{} is a folder, not a program", path));
  auto const report = report_on(path, layout);
  plan.json ? show_json(report) : show(report);
  bool const script = report.facts.kind == FileKind::script;
  return report.objection.empty() || script ? 0 : exit_refused;
}

}  // namespace earl::exec
