// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "exec/launcher/commands/commands.hpp"
#include "exec/launcher/commands/line_reader.hpp"
#include "exec/launcher/commands/options.hpp"
#include "exec/launcher/machine/diagnosis.hpp"

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

void show(std::vector<Finding> const& findings) {
  for (auto const& finding : findings) {
    fmt::print("{:<6} {:<18} {}\n", word_for(finding.health), finding.what, finding.detail);
    if (!finding.advice.empty()) fmt::print("{:<25} -> {}\n", "", finding.advice);
  }
}

}  // namespace

int doctor_command(std::vector<std::string> const& words) {
  parse_doctor(words);
  auto findings = judge_installation(find_layout());
  findings.push_back(judge_part("line editing", "history and completion in `earl console`",
                                line_editor_unavailable(), "libedit-dev"));
  auto const machine = judge_machine(look_at_machine());
  findings.insert(findings.end(), machine.begin(), machine.end());
  show(findings);
  return std::ranges::count(findings, Health::broken, &Finding::health) == 0 ? 0 : 1;
}

}  // namespace earl::exec
