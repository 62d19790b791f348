// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/diff_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>

#include "debug/analyse/candidates.hpp"
#include "debug/analyse/diff.hpp"
#include "debug/analyse/load.hpp"
#include "debug/analyse/print_json.hpp"
#include "debug/analyse/starts.hpp"
#include "debug/trace/describe.hpp"

namespace earl::analyse {

using nlohmann::json;
using trace::counted;

namespace {

constexpr std::size_t most_before = 3;

/// One of the two runs.
struct Run {
  explicit Run(std::string const& name)
      : folder(name),
        history(load_history(name)),
        races(find_races(history)),
        steps(steps_of(history)),
        texts(history) {}
  Run(Run const&) = delete;
  Run& operator=(Run const&) = delete;

  /// Null: the rank has done all before.
  Step const* at(Difference const& one) const {
    if (one.rank >= steps.size() || one.step >= steps[one.rank].size()) return nullptr;
    return &steps[one.rank][one.step];
  }
  std::string to_text(std::uint32_t rank, Step const* step) {
    if (!step) return "it does nothing more with messages";
    return fmt::format("event {}: {}", step->at.call, texts.of(rank, *step));
  }
  Receive const* receive_at(Difference const& one) const {
    auto const* const step = at(one);
    if (!step || step->receive == none) return nullptr;
    return &history.ranks[one.rank].receives[step->receive];
  }

  std::string folder;
  History history;
  std::vector<Race> races;
  std::vector<Steps> steps;
  StepTexts texts;
};

class Report {
 public:
  Report(std::string const& a, std::string const& b)
      : a_(a),
        b_(b),
        starts_(start_differences(a, b)),
        differences_(find_differences(a_.history, a_.steps, b_.history, b_.steps)) {
    std::ranges::stable_sort(differences_, std::greater<>{}, &Difference::first);
  }

  bool alike() const { return differences_.empty(); }
  void print();
  json to_json();

 private:
  void print(Difference const& one);
  std::string why(Difference const& one) const;
  /// The race of `run` in which the receive could have got what it got in `other`; null: none.
  static Race const* race_between(Run const& run, Run const& other, Difference const& one);
  json to_json(Run& run, Difference const& one);

  Run a_;
  Run b_;
  std::vector<StartDifference> starts_;
  std::vector<Difference> differences_;
};

Race const* Report::race_between(Run const& run, Run const& other, Difference const& one) {
  auto const* const step = run.at(one);
  auto const* const got = other.receive_at(one);
  if (!step || step->receive == none || !got) return nullptr;
  for (auto const& race : run.races) {
    if (race.rank != one.rank || race.receive != step->receive) continue;
    for (auto const message : race.others) {
      auto const& sent = run.history.messages[message];
      if (static_cast<std::int32_t>(sent.source) == got->source && sent.sequence == got->sequence)
        return &race;
    }
  }
  return nullptr;
}

std::string Report::why(Difference const& one) const {
  if (auto const* const race = race_between(a_, b_, one))
    return fmt::format("timing decided: it is race {} of `earl races {}`", race->number, a_.folder);
  if (auto const* const race = race_between(b_, a_, one))
    return fmt::format("timing decided: it is race {} of `earl races {}`", race->number, b_.folder);
  auto const* const here = a_.at(one);
  auto const* const there = b_.at(one);
  if (here && there && here->receive == none && there->receive == none) {
    auto const& sent = a_.history.messages[here->message];
    auto const& other = b_.history.messages[there->message];
    if (sent.dest == other.dest && sent.tag == other.tag && sent.length == other.length &&
        sent.check != other.check)
      return fmt::format(
          "the bytes differ, and no message before it does: {}a file, a clock, an "
          "address, or memory that was never set",
          starts_.empty() ? "" : "how the runs were started, ");
  }
  if (!starts_.empty()) return "no message before it differs; how the runs were started does";
  return "no message before it differs: a file, a clock, a probe or a test does";
}

void Report::print(Difference const& one) {
  fmt::print("rank {} differs:\n", one.rank);
  auto& run = a_.at(one) ? a_ : b_;
  for (auto at = one.step - std::min(one.step, most_before); at < one.step; ++at)
    fmt::print("  before  {}\n", run.to_text(one.rank, &run.steps[one.rank][at]));
  fmt::print("  {}  {}\n  {}  {}\n  {}\n", a_.folder, a_.to_text(one.rank, a_.at(one)), b_.folder,
             b_.to_text(one.rank, b_.at(one)), why(one));
}

void Report::print() {
  if (!starts_.empty()) fmt::print("the runs were not started alike:\n");
  for (auto const& start : starts_)
    fmt::print("  {}:\n    {}  {}\n    {}  {}\n", start.of, a_.folder, start.a, b_.folder, start.b);
  if (alike()) {
    std::size_t steps = 0;
    for (auto const& own : a_.steps) steps += own.size();
    fmt::print("{} and {} are alike: {} and {}\n", a_.folder, b_.folder,
               counted(a_.steps.size(), "rank", "ranks"), counted(steps, "step", "steps"));
    return;
  }
  auto const first =
      static_cast<std::size_t>(std::ranges::count_if(differences_, &Difference::first));
  for (auto const& one : std::span{differences_}.first(first)) print(one);
  if (auto const rest = differences_.size() - first; rest != 0)
    fmt::print("{} later, which comes after {}\n",
               rest == 1 ? "1 more rank differs" : fmt::format("{} more ranks differ", rest),
               first == 1 ? "this" : "one of these");
}

json Report::to_json(Run& run, Difference const& one) {
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

json Report::to_json() {
  json all = json::array();
  for (auto const& one : differences_)
    all.push_back({{"rank", one.rank},
                   {"first", one.first},
                   {"alike_before", one.step},
                   {"raced", race_between(a_, b_, one) || race_between(b_, a_, one)},
                   {"a", to_json(a_, one)},
                   {"b", to_json(b_, one)}});
  json starts = json::array();
  for (auto const& start : starts_)
    starts.push_back({{"of", start.of}, {"a", start.a}, {"b", start.b}});
  return {{"a", a_.folder},
          {"b", b_.folder},
          {"starts", std::move(starts)},
          {"alike", alike()},
          {"differences", std::move(all)}};
}

}  // namespace

bool print_diff(std::string const& a, std::string const& b, DiffOptions const& options) {
  Report report(a, b);
  if (options.json)
    print_json(report.to_json());
  else
    report.print();
  std::fflush(stdout);
  return report.alike();
}

}  // namespace earl::analyse
