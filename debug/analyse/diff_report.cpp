// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/diff_report.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "debug/analyse/comparison.hpp"
#include "debug/analyse/print_json.hpp"

namespace earl::analyse {

using nlohmann::json;

namespace {

void print(Comparison& runs) {
  auto const& a = runs.a().folder;
  auto const& b = runs.b().folder;
  if (!runs.starts().empty()) fmt::print("the runs were not started alike:\n");
  for (auto const& start : runs.starts())
    fmt::print("  {}:\n    {}  {}\n    {}  {}\n", start.of, a, start.a, b, start.b);
  if (runs.alike()) return fmt::print("{}\n", runs.alike_text());
  for (auto const& one : runs.differences())
    if (one.first) fmt::print("{}", runs.to_text(one));
  if (auto const later = runs.later_text(); !later.empty()) fmt::print("{}\n", later);
}

json to_json(ComparedRun& run, Difference const& one) {
  auto const* const step = run.at(one);
  if (!step) return nullptr;
  json made = {{"event", step->at.call},
               {"call", run.texts.sites().call_text(one.rank, step->at.site)},
               {"kind", step->receive == none ? "send" : "receive"}};
  if (step->message == none) return made;
  auto const& message = run.history.messages[step->message];
  made["message"] = message.sequence;
  made["peer"] = step->receive == none ? message.dest : message.source;
  made["tag"] = message.tag;
  made["bytes"] = message.length;
  made["hash"] = message.check;
  return made;
}

json to_json(Comparison& runs) {
  json all = json::array();
  for (auto const& one : runs.differences())
    all.push_back({{"rank", one.rank},
                   {"first", one.first},
                   {"alike_before", one.step},
                   {"raced", runs.raced(one)},
                   {"a", to_json(runs.a(), one)},
                   {"b", to_json(runs.b(), one)}});
  json starts = json::array();
  for (auto const& start : runs.starts())
    starts.push_back({{"of", start.of}, {"a", start.a}, {"b", start.b}});
  return {{"a", runs.a().folder},
          {"b", runs.b().folder},
          {"starts", std::move(starts)},
          {"alike", runs.alike()},
          {"differences", std::move(all)}};
}

}  // namespace

bool print_diff(std::string const& a, std::string const& b, DiffOptions const& options) {
  Comparison runs(a, b);
  if (options.json)
    print_json(to_json(runs));
  else
    print(runs);
  std::fflush(stdout);
  return runs.alike();
}

}  // namespace earl::analyse
