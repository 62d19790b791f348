// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/info_back_ends.hpp"
#include "exec/launcher/commands/json_output.hpp"
#include "exec/launcher/plan.hpp"
#include "exec/launcher/programs/programs.hpp"
#include "exec/launcher/programs/report.hpp"

namespace earl::exec {

namespace {

constexpr std::size_t line_width = 90;
constexpr std::size_t heading_width = 13;

/// Entries under a heading, wrapped.
void show_list(std::string_view heading, std::vector<std::string> const& entries) {
  std::string line = fmt::format("  {:<11}", heading);
  for (auto const& word : entries) {
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

/// For a file that is no program yet; empty: it is one.
std::string_view unlinked_text(FileKind kind) {
  switch (kind) {
    case FileKind::object:
      return "a compiled file that is not linked,";
    case FileKind::archive:
      return "a static library";
    case FileKind::other:
      return "a source file";
    case FileKind::script:
    case FileKind::elf:
    case FileKind::foreign:
      break;
  }
  return {};
}

std::string title_of(FileReport const& report) {
  if (!report.front_end) return report.objection;
  auto const* front_end = report.front_end;
  if (auto const unlinked = unlinked_text(report.facts.kind); !unlinked.empty())
    return fmt::format("{} for {} ({})", unlinked, front_end->title, front_end->name);
  auto const side = side_of(report.facts);
  auto const program = fmt::format("a {}{}program", side, side.empty() ? "" : " ");
  auto const what = report.objection.empty() ? program : report.objection;
  return fmt::format("{} for {} ({})", what, front_end->title, front_end->name);
}

void show(FileReport const& report) {
  fmt::print("{}: {}\n", report.path, title_of(report));
  if (!report.facts.needed.empty()) show_list("needs", report.facts.needed);
  if (!report.facts.search.empty()) show_list("looks in", {report.facts.search});
  if (!report.front_end || report.facts.kind == FileKind::other) return;
  if (report.facts.kind == FileKind::elf)
    show_list("here", report.libraries.empty() ? std::vector<std::string>{"none of Earl's is found"}
                                               : report.libraries);
  show_list("calls", report.calls);
  if (!report.stubs.empty()) show_list("not yet", report.stubs);
  std::vector<std::string> usable;
  for (auto const& one : report.back_ends)
    if (one.objection.empty() && one.failing.empty()) usable.push_back(one.back_end);
  if (!usable.empty()) show_list("runs on", usable);
  for (auto const& one : report.back_ends) {
    if (!one.objection.empty())
      show_list("not on", {one.back_end + ": " + one.objection});
    else if (!one.failing.empty())
      show_list("partly on", {fmt::format("{}: its jobs take no further processes, so {} fails",
                                          one.back_end, fmt::join(one.failing, ", "))});
  }
}

nlohmann::json as_json(FileReport const& report) {
  nlohmann::json back_ends = nlohmann::json::array();
  for (auto const& one : report.back_ends)
    back_ends.push_back({{"name", one.back_end},
                         {"can_run", one.objection.empty()},
                         {"failing_calls", one.failing},
                         {"why_not", one.objection}});
  return {{"path", report.path},           {"api", report.front_end ? report.front_end->name : ""},
          {"side", side_of(report.facts)}, {"objection", report.objection},
          {"needs", report.facts.needed},  {"looks_in", report.facts.search},
          {"libraries", report.libraries}, {"calls", report.calls},
          {"not_yet", report.stubs},       {"back_ends", back_ends}};
}

/// Files of a directory and those below it that belong to a front end; links are not followed.
std::vector<FileReport> reports_below(std::string const& directory, Layout const& layout) {
  std::vector<std::string> paths;
  auto const skip = std::filesystem::directory_options::skip_permission_denied;
  for (auto const& entry : std::filesystem::recursive_directory_iterator(directory, skip))
    if (entry.is_regular_file() && !entry.is_symlink()) paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  std::vector<FileReport> reports;
  Examiner examiner(layout);
  for (auto const& path : paths) {
    if (::access(path.c_str(), R_OK) != 0) continue;
    auto report = examiner.report_on(path);
    if (report.front_end) reports.push_back(std::move(report));
  }
  return reports;
}

/// The calls of a source are known when it is compiled.
void show_sum(std::string const& directory, std::vector<FileReport> const& reports) {
  std::set<std::string> missing;
  for (auto const& report : reports) missing.insert(report.stubs.begin(), report.stubs.end());
  auto const sources = std::ranges::count_if(
      reports, [](auto const& report) { return report.facts.kind == FileKind::other; });
  auto const compiled = std::ssize(reports) - sources;
  if (reports.empty())
    fmt::print("{}: no source, object or program of a front end of Earl\n", directory);
  if (sources != 0 && compiled == 0)
    fmt::print("{}: {} sources; compile them with `earlcc` to see which calls they make\n",
               directory, sources);
  if (compiled != 0 && missing.empty())
    fmt::print("{}: every call of {} compiled files is there\n", directory, compiled);
  if (!missing.empty()) fmt::print("{}: not there yet: {}\n", directory, fmt::join(missing, ", "));
}

int report_directory(std::string const& directory, bool json, Layout const& layout) {
  auto const reports = reports_below(directory, layout);
  if (json) {
    auto all = nlohmann::json::array();
    for (auto const& report : reports) all.push_back(as_json(report));
    print_json(all);
  } else {
    for (auto const& report : reports) fmt::print("{}: {}\n", report.path, title_of(report));
    show_sum(directory, reports);
  }
  return reports.empty() ? exit_refused : 0;
}

struct InfoPlan {
  std::string program;  ///< as typed; empty: with `back_ends`
  bool back_ends = false;
  bool json = false;
};

InfoPlan parse_info(std::vector<std::string> const& arguments) {
  CommandLine line("earl info",
                   "Show the API that a program uses and the back ends that can run it, without "
                   "running it.\nOf objects, static libraries and sources the API, of a directory "
                   "all files that have one.\nExit code 88: no back end can, or no file has an "
                   "API.\nWithout PROGRAM, `earl info --backends` shows the back ends.\n");
  InfoPlan plan;
  line.add_flag({.names = "--backends",
                 .help = "Show all back ends: whether each can run here, and what its jobs cannot"},
                plan.back_ends);
  line.add_flag({.names = "--json", .help = "Print JSON"}, plan.json);
  line.add_operand(
      {.names = "PROGRAM", .help = "A file, a directory, or a name to be found in PATH"},
      plan.program);
  line.parse_all(arguments);
  if (plan.program.empty() && !plan.back_ends)
    throw UsageError("PROGRAM is missing; `earl info -h` shows what is expected");
  if (!plan.program.empty() && plan.back_ends)
    throw UsageError(
        "unexpected argument {}: --backends is about no program; `earl info {}` shows the back "
        "ends that can run it",
        plan.program, plan.program);
  return plan;
}

}  // namespace

int info_command(std::vector<std::string> const& arguments) {
  auto const plan = parse_info(arguments);
  if (plan.back_ends) {
    show_back_ends(plan.json);
    return 0;
  }
  auto const layout = find_layout();
  std::error_code failed;
  if (std::filesystem::is_directory(plan.program, failed))
    return report_directory(plan.program, plan.json, layout);
  // A source or object in this directory needs no "./": it is not run.
  auto const path = std::filesystem::is_regular_file(plan.program, failed)
                        ? plan.program
                        : find_file({.name = plan.program, .libraries = layout.libraries});
  if (!std::filesystem::exists(path))
    throw Refusal(exit_not_found, SpawnFault::not_found,
                  fmt::format("there is no program {}", path));
  auto const report = Examiner(layout).report_on(path);
  plan.json ? print_json(as_json(report)) : show(report);
  bool const script = report.facts.kind == FileKind::script;
  return report.objection.empty() || script ? 0 : exit_refused;
}

}  // namespace earl::exec
