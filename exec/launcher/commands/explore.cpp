// SPDX-License-Identifier: BSD-3-Clause
/// `earl explore`: its report.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "debug/trace/path.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/explorer.hpp"
#include "exec/launcher/commands/json_output.hpp"
#include "exec/launcher/commands/run.hpp"
#include "exec/launcher/quoted.hpp"

namespace earl::exec {

namespace {

using nlohmann::json;

constexpr int found_failures = 3;

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string command_of(Failure const& failure, std::string const& recording) {
  if (failure.path.empty()) return "earl replay " + quoted(failure.recording);
  return fmt::format("earl replay --path '{}' {}", trace::to_text(failure.path), quoted(recording));
}

/// Why not all orders can be said to have been tried; empty: they have been.
std::string gap_text(Explorer const& explorer) {
  auto const& coverage = explorer.search().coverage();
  if (!explorer.stopped_by().empty()) return "stopped by " + explorer.stopped_by();
  if (coverage.unforceable != 0)
    return counted(coverage.unforceable, "race of handlers", "races of handlers") +
           " cannot be forced";
  return explorer.tried_all() ? "" : "some runs diverged or did not end";
}

void print(Explorer const& explorer) {
  auto const& coverage = explorer.search().coverage();
  auto const& recording = explorer.recording();
  auto const forked = explorer.forked() == 0 ? "" : fmt::format(" ({} by fork)", explorer.forked());
  fmt::print("{}{} of {} in {:.1f} s: {}, {}\n", counted(explorer.runs(), "run", "runs"), forked,
             quoted(recording), explorer.seconds(),
             counted(explorer.search().orders(), "order", "orders"),
             counted(explorer.failures().size(), "failure", "failures"));
  auto const gap = gap_text(explorer);
  fmt::print("{} seen; {} of {} tried; {}\n", counted(coverage.races, "race", "races"),
             coverage.tried, counted(coverage.alternatives, "alternative", "alternatives"),
             gap.empty() ? "all orders have been tried" : gap);
  std::uint64_t number = 0;
  for (auto const& failure : explorer.failures()) {
    fmt::print("\nfailure {}: exit code {}, {}{}{}\n", ++number, failure.exit_code,
               counted(failure.runs, "run", "runs"), failure.what.empty() ? "" : ": ",
               failure.what);
    fmt::print("  {}\n", command_of(failure, recording));
    if (!failure.path.empty() && !failure.recording.empty())
      fmt::print("  its recording: {}\n", quoted(failure.recording));
  }
}

json as_json(Explorer const& explorer) {
  auto const& coverage = explorer.search().coverage();
  json failures = json::array();
  for (auto const& failure : explorer.failures())
    failures.push_back({{"exit_code", failure.exit_code},
                        {"what", failure.what},
                        {"runs", failure.runs},
                        {"path", trace::to_text(failure.path)},
                        {"command", command_of(failure, explorer.recording())},
                        {"recording", failure.recording}});
  return {{"recording", explorer.recording()},     {"runs", explorer.runs()},
          {"forked", explorer.forked()},           {"seconds", explorer.seconds()},
          {"orders", explorer.search().orders()},  {"races", coverage.races},
          {"alternatives", coverage.alternatives}, {"tried", coverage.tried},
          {"not_forced", coverage.failed},         {"unforceable", coverage.unforceable},
          {"all_tried", explorer.tried_all()},     {"stopped_by", explorer.stopped_by()},
          {"failures", std::move(failures)}};
}

}  // namespace

int explore_command(std::vector<std::string> const& arguments) {
  auto plan = parse_explore(arguments, configured());
  bool const wants_json = plan.json;
  Explorer explorer(std::move(plan));
  explorer.explore();
  wants_json ? print_json(as_json(explorer)) : print(explorer);
  std::fflush(stdout);
  return explorer.failures().empty() ? 0 : found_failures;
}

}  // namespace earl::exec
