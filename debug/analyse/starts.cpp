// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/starts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "debug/trace/describe.hpp"
#include "debug/trace/meta.hpp"
#include "debug/trace/reader.hpp"
#include "debug/trace/trace_file.hpp"
#include "generic/base/error.hpp"

namespace earl::analyse {

namespace {

/// Shells change these in every command.
constexpr std::array<std::string_view, 4> of_shells{"_", "OLDPWD", "PWD", "SHLVL"};

using Variables = std::map<std::string, std::string>;

Variables variables_of(trace::Meta const& meta) {
  Variables all;
  for (auto const& assignment : meta.job.environment) {
    auto const at = assignment.find('=');
    if (at == std::string::npos) continue;
    auto name = assignment.substr(0, at);
    if (std::ranges::count(of_shells, name) == 0) all[name] = assignment.substr(at + 1);
  }
  return all;
}

/// The recorded standard input; null: it is not known.
std::optional<std::string> input_of(std::string const& folder) {
  try {
    trace::TraceReader file(trace::exec_path(folder));
    std::string text;
    while (auto const outcomes = file.next())
      for (auto const& outcome : *outcomes)
        if (outcome.what == trace::OutcomeKind::input) text += outcome.text;
    return text;
  } catch (Error const&) {
    return std::nullopt;
  }
}

class StartComparison {
 public:
  void compare(std::string const& of, std::string const& a, std::string const& b) {
    if (a != b) differences.push_back({.of = of, .a = a, .b = b});
  }
  void compare_environments(Variables const& a, Variables const& b) {
    auto names = a;
    names.insert(b.begin(), b.end());
    auto const in = [](Variables const& all, std::string const& name) {
      auto const found = all.find(name);
      return found == all.end() ? std::string{"not set"} : "'" + found->second + "'";
    };
    for (auto const& [name, value] : names)
      compare(name + " in the environment", in(a, name), in(b, name));
  }
  void compare_programs(trace::Meta const& a, trace::Meta const& b) {
    auto const programs = std::min(a.build_ids.size(), b.build_ids.size());
    for (std::size_t i = 0; i < programs && i < a.programs.size(); ++i)
      compare("build-id of " + a.programs[i], a.build_ids[i], b.build_ids[i]);
  }
  void compare_inputs(std::string const& a, std::string const& b) {
    auto const one = input_of(a);
    auto const other = input_of(b);
    if (!one || !other || *one == *other) return;
    auto const common =
        static_cast<std::size_t>(std::ranges::mismatch(*one, *other).in1 - one->begin());
    auto const size = [&](std::string const& text) {
      return fmt::format("{}, other bytes from offset {} on",
                         trace::counted(text.size(), "byte", "bytes"), common);
    };
    differences.push_back({.of = "standard input", .a = size(*one), .b = size(*other)});
  }

  std::vector<StartDifference> differences{};
};

}  // namespace

std::vector<StartDifference> start_differences(std::string const& a, std::string const& b) {
  StartComparison starts;
  try {
    auto const one = trace::read_meta(a);
    auto const other = trace::read_meta(b);
    auto const joined = [](std::vector<std::string> const& list) {
      return fmt::format("{}", fmt::join(list, " "));
    };
    starts.compare("command", joined(one.job.command), joined(other.job.command));
    starts.compare("number of processes", std::to_string(one.job.initial),
                   std::to_string(other.job.initial));
    starts.compare("back end", one.job.back_end, other.job.back_end);
    starts.compare("settings", joined(one.job.settings), joined(other.job.settings));
    starts.compare("directory", one.folder, other.folder);
    starts.compare_programs(one, other);
    starts.compare_environments(variables_of(one), variables_of(other));
    starts.compare_inputs(a, b);
  } catch (Error const&) {
    // The rest is unknown of one of them.
  }
  return std::move(starts.differences);
}

}  // namespace earl::analyse
