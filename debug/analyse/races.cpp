// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "debug/analyse/blocked.hpp"
#include "debug/analyse/candidates.hpp"
#include "debug/analyse/load.hpp"
#include "debug/analyse/print_json.hpp"
#include "debug/analyse/sites.hpp"
#include "debug/trace/describe.hpp"

namespace earl::analyse {

using nlohmann::json;
using trace::counted;

std::vector<Race> find_races(History& history) {
  mark_races(history);
  auto const first = frontier(history);
  std::vector<Race> races;
  for (std::uint32_t rank = 0; rank < history.ranks.size(); ++rank) {
    Candidates candidates(history, rank);
    auto const& receives = history.ranks[rank].receives;
    for (std::uint32_t i = 0; i < receives.size(); ++i) {
      if (receives[i].source == number(no_rank)) continue;
      Race race{.rank = rank, .receive = i, .frontier = first[rank][i]};
      candidates.of(i, [&](std::uint32_t message) { race.others.push_back(message); });
      if (race.others.empty()) continue;
      race.number = races.size() + 1;
      races.push_back(std::move(race));
    }
  }
  return races;
}

namespace {

/// Races of the same lines: one is printed for all.
struct RaceKind {
  Race const* example = nullptr;
  std::uint64_t count = 0;
  bool frontier = false;
};

class RaceReporter {
 public:
  RaceReporter(History const& history, std::vector<Race> const& races)
      : history_(history), races_(races), sites_(history) {}

  void print(std::string const& folder, RacesOptions const& options);
  void print_kinds(RacesOptions const& options);
  json races_to_json(RacesOptions const& options);
  json to_json(std::string const& folder, RacesOptions const& options);

 private:
  Receive const& receive_of(Race const& race) const {
    return history_.ranks[race.rank].receives[race.receive];
  }
  std::vector<std::uint32_t> lines_of(Race const& race);
  std::vector<RaceKind> kinds(RacesOptions const& options);
  void print(RaceKind const& kind);
  std::string to_text(SentMessage const& message);
  bool same_bytes(Race const& race, SentMessage const& other) const;
  std::string asked_text(Race const& race) const;
  json to_json(SentMessage const& message);
  json to_json(Race const& race);

  History const& history_;
  std::vector<Race> const& races_;
  Sites sites_;
};

std::vector<std::uint32_t> RaceReporter::lines_of(Race const& race) {
  auto const& receive = receive_of(race);
  std::vector<std::uint32_t> lines;
  for (auto const message : race.others) {
    auto const& sent = history_.messages[message];
    lines.push_back(sites_.number(sent.source, sent.at.site));
  }
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  lines.push_back(sites_.number(race.rank, receive.at.site));
  if (receive.message != none) {
    auto const& got = history_.messages[receive.message];
    lines.push_back(sites_.number(got.source, got.at.site));
  }
  return lines;
}

std::vector<RaceKind> RaceReporter::kinds(RacesOptions const& options) {
  std::vector<RaceKind> kinds;
  std::map<std::vector<std::uint32_t>, std::size_t> known;
  for (auto const& race : races_) {
    if (options.frontier && !race.frontier) continue;
    auto const at =
        options.all ? kinds.size() : known.try_emplace(lines_of(race), kinds.size()).first->second;
    if (at == kinds.size()) kinds.emplace_back();
    auto& kind = kinds[at];
    if (!kind.example || (race.frontier && !kind.frontier)) kind.example = &race;
    kind.frontier = kind.frontier || race.frontier;
    ++kind.count;
  }
  std::ranges::stable_sort(kinds, std::greater<>{}, &RaceKind::frontier);
  return kinds;
}

std::string RaceReporter::to_text(SentMessage const& message) {
  return fmt::format("message {} of rank {}: {} (event {}, tag {}, {})", message.sequence,
                     message.source, sites_.call_text(message.source, message.at.site),
                     message.at.call, message.tag, counted(message.length, "byte", "bytes"));
}

bool RaceReporter::same_bytes(Race const& race, SentMessage const& other) const {
  auto const& receive = receive_of(race);
  if (receive.message == none) return false;
  auto const& got = history_.messages[receive.message];
  return got.length == other.length && got.check == other.check && got.tag == other.tag;
}

std::string RaceReporter::asked_text(Race const& race) const {
  auto const& rank = history_.ranks[race.rank];
  return rank.text_of(rank.filters[receive_of(race).filter]);
}

void RaceReporter::print(RaceKind const& kind) {
  auto const& race = *kind.example;
  auto const& receive = receive_of(race);
  fmt::print("race {}{}: rank {}, event {}: {} ({})\n", race.number,
             race.frontier ? " (frontier)" : "", race.rank, receive.at.call,
             sites_.call_text(race.rank, receive.at.site), asked_text(race));
  if (receive.message != none)
    fmt::print("  got      {}\n", to_text(history_.messages[receive.message]));
  else
    fmt::print("  got      {}\n", history_.ranks[race.rank].exec_message_text(receive));
  for (auto const message : race.others) {
    auto const& other = history_.messages[message];
    fmt::print("  or else  {}{}\n", to_text(other),
               same_bytes(race, other) ? ": the same bytes" : "");
  }
  if (kind.count > 1)
    fmt::print("  {} more at these lines\n", counted(kind.count - 1, "race", "races"));
}

void RaceReporter::print_kinds(RacesOptions const& options) {
  for (auto const& kind : kinds(options)) print(kind);
}

void RaceReporter::print(std::string const& folder, RacesOptions const& options) {
  std::uint64_t receives = 0;
  std::uint64_t answers = 0;
  for (auto const& rank : history_.ranks) {
    receives += rank.receives.size();
    answers += rank.answers;
  }
  auto const first = std::ranges::count_if(races_, &Race::frontier);
  fmt::print("{}: {} of {} raced{}\n", folder, races_.size(),
             counted(receives, "receive", "receives"),
             races_.empty() ? ""
                            : fmt::format("; {} on no other race (frontier)",
                                          first == 1 ? "1 hangs" : fmt::format("{} hang", first)));
  print_kinds(options);
  print_blocked(history_);
  if (answers != 0)
    fmt::print("{} of probes and tests depended on timing, too\n",
               counted(answers, "answer", "answers"));
  if (history_.unexplained != 0)
    fmt::print("{} without a cause in any record: races may be missing or too many\n",
               counted(history_.unexplained, "event", "events"));
}

json RaceReporter::to_json(SentMessage const& message) {
  return {{"rank", message.source},   {"message", message.sequence},
          {"event", message.at.call}, {"call", sites_.call_text(message.source, message.at.site)},
          {"tag", message.tag},       {"bytes", message.length}};
}

json RaceReporter::to_json(Race const& race) {
  auto const& receive = receive_of(race);
  json others = json::array();
  for (auto const message : race.others) {
    others.push_back(to_json(history_.messages[message]));
    others.back()["same_bytes"] = same_bytes(race, history_.messages[message]);
  }
  return {{"number", race.number},
          {"frontier", race.frontier},
          {"rank", race.rank},
          {"event", receive.at.call},
          {"receive", receive.post},
          {"call", sites_.call_text(race.rank, receive.at.site)},
          {"asked", asked_text(race)},
          {"got",
           receive.message == none ? json(nullptr) : to_json(history_.messages[receive.message])},
          {"others", std::move(others)}};
}

json RaceReporter::races_to_json(RacesOptions const& options) {
  json races = json::array();
  for (auto const& race : races_)
    if (race.frontier || !options.frontier) races.push_back(to_json(race));
  return races;
}

json RaceReporter::to_json(std::string const& folder, RacesOptions const& options) {
  return {{"recording", folder},
          {"unexplained", history_.unexplained},
          {"deadlock", history_.deadlock.empty() ? json(nullptr) : json(history_.deadlock)},
          {"races", races_to_json(options)}};
}

}  // namespace

void print_races(History const& history, std::vector<Race> const& races) {
  RaceReporter(history, races).print_kinds({});
}

json races_to_json(History const& history, std::vector<Race> const& races) {
  return RaceReporter(history, races).races_to_json({});
}

void print_races(std::string const& folder, RacesOptions const& options) {
  auto history = load_history(folder);
  auto const races = find_races(history);
  RaceReporter teller(history, races);
  if (options.json)
    print_json(teller.to_json(folder, options));
  else
    teller.print(folder, options);
  std::fflush(stdout);
}

}  // namespace earl::analyse
