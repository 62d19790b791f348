// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>

#include "debug/analyse/otf2.hpp"
#include "exec/launcher/commands/command_line.hpp"
#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/json_output.hpp"
#include "exec/launcher/commands/line_reader.hpp"
#include "exec/launcher/output/color.hpp"
#include "exec/launcher/resources/cpu_binding.hpp"
#include "exec/launcher/resources/diagnosis.hpp"

namespace earl::exec {

namespace {

std::string_view word_for(Health health) {
  switch (health) {
    case Health::good:
      return "ok";
    case Health::limited:
      return "limit";
    case Health::broken:
      return "WRONG";
  }
  return "?";
}

Color color_for(Health health) {
  switch (health) {
    case Health::good:
      return Color::green;
    case Health::limited:
      return Color::yellow;
    case Health::broken:
      return Color::red;
  }
  return Color::red;
}

void show(std::vector<Finding> const& findings) {
  for (auto const& finding : findings) {
    auto const word = fmt::format("{:<6}", word_for(finding.health));
    fmt::print("{} {:<18} {}\n", in_color(color_for(finding.health), word, STDOUT_FILENO),
               finding.what, finding.detail);
    if (!finding.advice.empty()) fmt::print("{:<25} -> {}\n", "", finding.advice);
  }
}

std::ptrdiff_t count(std::vector<Finding> const& findings, Health health) {
  return std::ranges::count(findings, health, &Finding::health);
}

void show_summary(std::vector<Finding> const& findings) {
  std::vector<Finding> back_ends;
  std::ranges::copy_if(findings, std::back_inserter(back_ends), [](Finding const& finding) {
    return finding.what.starts_with("back end ");
  });
  fmt::print("\n{} lines: {} ok, {} limit, {} WRONG; {} of {} back ends are usable\n",
             findings.size(), count(findings, Health::good), count(findings, Health::limited),
             count(findings, Health::broken), count(back_ends, Health::good), back_ends.size());
}

/// In JSON.
std::string_view health_key(Health health) {
  switch (health) {
    case Health::good:
      return "good";
    case Health::limited:
      return "limited";
    case Health::broken:
      return "broken";
  }
  return "?";
}

nlohmann::json as_json(std::vector<Finding> const& findings) {
  auto all = nlohmann::json::array();
  for (auto const& finding : findings)
    all.push_back({{"what", finding.what},
                   {"health", health_key(finding.health)},
                   {"detail", finding.detail},
                   {"advice", finding.advice}});
  return all;
}

/// Returns whether the findings are wanted as JSON.
bool wants_json(std::vector<std::string> const& arguments) {
  CommandLine line("earl doctor",
                   "Check what Earl needs and this computer lacks. Exit code 1: something does not "
                   "work.\n");
  bool json = false;
  line.add_flag({.names = "--json", .help = "Print JSON"}, json);
  line.parse_all(arguments);
  return json;
}

}  // namespace

int doctor_command(std::vector<std::string> const& arguments) {
  bool const json = wants_json(arguments);
  auto findings = judge_installation(find_layout());
  findings.push_back(judge_part("line editing", "history and completion in `earl console`",
                                line_editor_unavailable(), "libedit-dev"));
  findings.push_back(judge_part("OTF2", "`earl export --to otf2`", analyse::otf2_unavailable(),
                                "libopen-trace-format2-dev"));
  findings.push_back(
      judge_part("CPU binding", "`earl run --bind-to`", topology_unavailable(), "libhwloc-dev"));
  auto const host = judge_host(read_host_resources());
  findings.insert(findings.end(), host.begin(), host.end());
  if (json) {
    print_json(as_json(findings));
  } else {
    show(findings);
    show_summary(findings);
  }
  return count(findings, Health::broken) == 0 ? 0 : 1;
}

}  // namespace earl::exec
