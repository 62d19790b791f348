// SPDX-License-Identifier: BSD-3-Clause
/// The deadlock for other programs: Graphviz and JSON.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "debug/deadlock/explain.hpp"
#include "debug/deadlock/places.hpp"
#include "debug/trace/describe.hpp"

namespace earl::deadlock {

namespace {

bool among(std::vector<std::size_t> const& nodes, std::size_t node) {
  return std::ranges::binary_search(nodes, node);
}

char const* word_of(Report::State state) {
  switch (state) {
    case Report::State::running:
      return "running";
    case Report::State::waiting:
      return "waiting";
    case Report::State::polling:
      return "polling";
    case Report::State::sleeping:
      return "sleeping";
  }
  return "unknown";
}

/// The numbers of all of `from` in the context.
nlohmann::json numbers_of(Need const& need) {
  auto made = nlohmann::json::array();
  for (std::size_t i = 0; i < need.from.size(); ++i)
    made.push_back(need.number_of(i) == no_number ? number(need.from[i]) : need.number_of(i));
  return made;
}

nlohmann::json json_of(Need const& need) {
  nlohmann::json made{{"kind", trace::to_text(need.kind)}, {"from", nlohmann::json::array()}};
  for (auto const rank : need.from) made["from"].push_back(number(rank));
  if (need.kind == OpKind::exec) {
    made["operation"] = need.operation;
    made["what"] = need.what;
  } else if (need.kind == OpKind::send) {
    if (need.crowd.messages != 0)
      made["no_room"] = {{"tag", number(need.crowd.tag)},
                         {"length", need.crowd.length},
                         {"unreceived_messages", need.crowd.messages},
                         {"unreceived_bytes", need.crowd.bytes}};
  } else {
    made["asks"] = to_text(need.selector, need.context, need.number_of(0));
    if (!need.what.empty()) made["what"] = need.what;
    if (!need.context.empty()) made["context"] = need.context;
    if (!need.numbers.empty()) made["numbers"] = numbers_of(need);
  }
  return made;
}

nlohmann::json json_of(WaitingProcess const& process, Places& places) {
  auto const& report = process.report;
  nlohmann::json made{{"rank", number(process.rank)},
                      {"program", process.program},
                      {"state", word_of(report.state)},
                      {"call", report.call},
                      {"all", report.all},
                      {"needs", nlohmann::json::array()},
                      {"stack", nlohmann::json::array()},
                      {"unasked", report.left_over}};
  for (auto const& need : report.needs) made["needs"].push_back(json_of(need));
  for (auto const& frame : report.stack)
    for (auto const& call : places.calls(frame)) made["stack"].push_back(symbols::to_text(call));
  return made;
}

/// The label of a node: rank, call, place, and the operation of EXEC that it waits for.
std::string label_of(WaitingProcess const& process, Places& places) {
  auto const& [rank, program, report] = process;
  auto label = fmt::format("rank {}\\n{}", number(rank), report.call);
  if (!report.stack.empty()) label += "\\n" + places.line(report.stack.front());
  if (report.needs.empty() || report.needs.front().what.empty()) return label;
  label += "\\n";
  for (char const letter : report.needs.front().what)
    label += letter == '"' ? std::string{"\\\""} : std::string(1, letter);
  return label;
}

}  // namespace

std::string in_json(Deadlock const& deadlock, std::span<WaitingProcess const> processes) {
  auto const ranks = [&](std::vector<std::size_t> const& nodes) {
    auto list = nlohmann::json::array();
    for (auto const node : nodes) list.push_back(number(processes[node].rank));
    return list;
  };
  Places places;
  nlohmann::json made{{"stuck", ranks(deadlock.stuck)},
                      {"cause", ranks(deadlock.cause)},
                      {"cycle", ranks(deadlock.cycle)},
                      {"processes", nlohmann::json::array()}};
  for (auto const& process : processes) made["processes"].push_back(json_of(process, places));
  return made.dump(2) + "\n";
}

std::string in_dot(Deadlock const& deadlock, std::span<WaitingProcess const> processes) {
  std::string dot = "digraph waits_for {\n  node [shape=box];\n";
  Places places;
  auto const nodes = graph_of(processes);
  bool any_process = false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    auto const rank = processes[i].rank;
    dot += fmt::format("  r{} [label=\"{}\"{}];\n", number(rank), label_of(processes[i], places),
                       among(deadlock.cause, i) ? ", color=red, penwidth=2" : "");
    for (auto const& need : nodes[i].needs) {
      auto const style = nodes[i].all && need.from.size() < 2 ? "" : " [style=dashed]";
      for (auto const to : need.from)
        dot += fmt::format("  r{} -> r{}{};\n", number(rank), number(processes[to].rank), style);
      if (need.any_process) dot += fmt::format("  r{} -> any [style=dashed];\n", number(rank));
      any_process = any_process || need.any_process;
    }
  }
  if (any_process) dot += "  any [label=\"any process\", shape=plaintext];\n";
  return dot + "}\n";
}

}  // namespace earl::deadlock
