// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/check.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "debug/analyse/hazards.hpp"
#include "debug/analyse/load.hpp"
#include "debug/analyse/mismatches.hpp"
#include "debug/analyse/print_json.hpp"
#include "debug/analyse/races.hpp"
#include "debug/analyse/steps.hpp"
#include "debug/trace/describe.hpp"
#include "debug/trace/meta.hpp"

namespace earl::analyse {

using nlohmann::json;
using trace::counted;

namespace {

/// Messages or receives of the same call: one is reported for all.
struct Kind {
  std::uint32_t rank = 0;
  std::uint32_t example = none;  ///< a message, or a receive of the rank's
  std::uint64_t count = 0;
};

/// Messages between the same two calls; `rank` has received the message `example`.
struct MistypedKind : Kind {
  Mistyped types{};
};

/// Collectives of the same two calls.
struct MistypedParts : Kind {
  Mismatch parts{};
};

/// Nonblocking sends of the message `example`'s call that calls like that of `altered` completed.
struct AlteredKind : Kind {
  AlteredSend altered{};
};

class Findings {
 public:
  Findings(std::string const& folder, CheckOptions const& options);

  std::uint64_t count() const;
  void print();
  json to_json();

 private:
  void find_unreceived();
  void find_open_receives();
  void find_unreleased();
  void find_mistyped();
  void find_altered();
  void find_mismatches(CheckOptions const& options);
  template <class Of>
  void add(std::vector<Of>& kinds, std::array<std::int64_t, 4> const& key, Of const& one);
  bool was_quiescent() const { return !history_.deadlock.empty(); }
  bool ended_well() const { return end_ && end_->exit_code == 0 && !was_quiescent(); }
  bool failed() const { return end_ && end_->exit_code != 0 && !was_quiescent(); }
  std::string of_message(std::uint32_t message);
  std::string of_call(std::uint32_t rank, Place const& at);
  std::string of_receive(Kind const& kind);
  std::string of_part(CollectivePart const& part);
  json part_to_json(CollectivePart const& part);
  void print_mistyped();
  std::string of_stuck(StuckCall const& call);
  json call_to_json(std::uint32_t rank, Place const& at);
  json message_to_json(std::uint32_t message);
  Kind receive_of(MistypedKind const& kind) const;
  json receive_to_json(Kind const& kind);
  json mistyped_to_json();
  json mistyped_parts_to_json();

  std::string const& folder_;
  bool reported_;
  std::optional<trace::RunEnd> end_;  ///< null: unknown
  History history_;
  StepTexts texts_;
  std::vector<Race> races_{};
  std::vector<StuckCall> hazard_{};
  std::vector<Mismatch> mismatches_{};
  std::vector<MissingCall> missing_{};
  std::vector<MistypedParts> mistyped_parts_{};
  std::vector<Kind> unreceived_{};
  std::vector<Kind> open_receives_{};
  std::vector<Kind> unreleased_{};  ///< `example` is a site
  std::vector<MistypedKind> mistyped_{};
  std::vector<AlteredKind> altered_{};
  std::map<std::array<std::int64_t, 4>, std::size_t> known_{};
};

Findings::Findings(std::string const& folder, CheckOptions const& options)
    : folder_(folder),
      reported_(options.reported),
      end_(trace::read_end(folder)),
      history_(load_history(folder)),
      texts_(history_) {
  if (options.races) races_ = find_races(history_);
  if (options.hazards) hazard_ = find_hazard(open_events(folder).sources, history_);
  if (options.collectives || options.types) find_mismatches(options);
  if (options.types) find_mistyped();
  if (options.buffers) find_altered();
  if (options.unreceived) find_unreceived();
  // Where a run stood still, the report of that has them.
  if (options.receives && !was_quiescent()) find_open_receives();
  if (options.unreleased) find_unreleased();
}

template <class Of>
void Findings::add(std::vector<Of>& kinds, std::array<std::int64_t, 4> const& key, Of const& one) {
  auto const [known, fresh] = known_.try_emplace(key, kinds.size());
  if (fresh) kinds.push_back(one);
  ++kinds[known->second].count;
}

void Findings::find_unreceived() {
  known_.clear();
  for (std::uint32_t i = 0; i < history_.messages.size(); ++i) {
    auto const& message = history_.messages[i];
    if (message.matched_by != none || message.taken_back) continue;
    auto const site = texts_.sites().number(message.source, message.at.site);
    add(unreceived_, {message.source, message.dest, site, message.tag},
        {.rank = message.source, .example = i});
  }
}

void Findings::find_open_receives() {
  known_.clear();
  for (std::uint32_t rank = 0; rank < history_.ranks.size(); ++rank) {
    auto const& receives = history_.ranks[rank].receives;
    for (std::uint32_t i = 0; i < receives.size(); ++i) {
      auto const& receive = receives[i];
      if (receive.source != number(no_rank) || receive.cancelled) continue;
      add(open_receives_, {rank, texts_.sites().number(rank, receive.at.site), 0, 0},
          {.rank = rank, .example = i});
    }
  }
}

void Findings::find_unreleased() {
  for (std::uint32_t rank = 0; rank < history_.ranks.size(); ++rank)
    for (auto const& objects : history_.ranks[rank].unreleased)
      unreleased_.push_back({.rank = rank, .example = objects.site, .count = objects.count});
}

void Findings::find_mistyped() {
  known_.clear();
  for (std::uint32_t rank = 0; rank < history_.ranks.size(); ++rank)
    for (auto const& types : history_.ranks[rank].mistyped) {
      auto const found = history_.find(types.source, rank, types.sequence);
      if (found == none || history_.messages[found].matched_by == none) continue;
      auto const& message = history_.messages[found];
      auto const& receive = history_.ranks[rank].receives[message.matched_by];
      add(mistyped_,
          {types.source, texts_.sites().number(types.source, message.at.site), rank,
           texts_.sites().number(rank, receive.at.site)},
          {{.rank = rank, .example = found}, types});
    }
}

void Findings::find_altered() {
  known_.clear();
  for (std::uint32_t rank = 0; rank < history_.ranks.size(); ++rank)
    for (auto const& altered : history_.ranks[rank].altered) {
      auto const message = history_.find(rank, altered.dest, altered.sequence);
      if (message == none) continue;
      add(altered_,
          {rank, texts_.sites().number(rank, history_.messages[message].at.site),
           texts_.sites().number(rank, altered.at.site), 0},
          {{.rank = rank, .example = message}, altered});
    }
}

void Findings::find_mismatches(CheckOptions const& options) {
  auto found = analyse::find_mismatches(open_events(folder_).sources, ended_well());
  if (options.collectives) {
    mismatches_ = std::move(found.calls);
    missing_ = std::move(found.missing);
  }
  if (!options.types) return;
  known_.clear();
  auto const site_of = [&](CollectivePart const& part) {
    return texts_.sites().number(part.rank, part.at.site);
  };
  for (auto& parts : found.types)
    add(mistyped_parts_, {site_of(parts.one), site_of(parts.other), 0, 0}, {{}, std::move(parts)});
}

std::uint64_t Findings::count() const {
  return races_.size() + mismatches_.size() + missing_.size() + mistyped_.size() +
         mistyped_parts_.size() + altered_.size() + unreceived_.size() + open_receives_.size() +
         unreleased_.size() + static_cast<std::uint64_t>(!hazard_.empty()) +
         static_cast<std::uint64_t>(was_quiescent() || failed());
}

std::string Findings::of_message(std::uint32_t message) {
  auto const& sent = history_.messages[message];
  auto const label = history_.ranks[sent.source].label_of(sent.context);
  return fmt::format("{}: message {} to rank {} (tag {}{}{}, {})", of_call(sent.source, sent.at),
                     sent.sequence, sent.dest, sent.tag, label.empty() ? "" : ", ", label,
                     counted(sent.length, "byte", "bytes"));
}

std::string Findings::of_call(std::uint32_t rank, Place const& at) {
  return fmt::format("rank {}, event {}: {}", rank, at.call,
                     texts_.sites().call_text(rank, at.site));
}

std::string Findings::of_receive(Kind const& kind) {
  auto const& receive = history_.ranks[kind.rank].receives[kind.example];
  return fmt::format("{} ({})", of_call(kind.rank, receive.at), texts_.asked(kind.rank, receive));
}

std::string Findings::of_part(CollectivePart const& part) {
  return fmt::format("{}: {}{}{}{}", of_call(part.rank, part.at), part.kind,
                     part.has_root() ? fmt::format(", root {}", part.root) : "",
                     part.context.empty() ? "" : ", ", part.context);
}

json Findings::part_to_json(CollectivePart const& part) {
  auto made = call_to_json(part.rank, part.at);
  made["kind"] = part.kind;
  made["root"] = part.has_root() ? json(part.root) : json(nullptr);
  made["context"] = part.context.empty() ? json(nullptr) : json(part.context);
  return made;
}

std::string Findings::of_stuck(StuckCall const& call) {
  std::string why = "rank {} to come";
  if (call.message != none) why = call.sends ? "rank {} to receive" : "a message of rank {}";
  return fmt::format("{} waits for {}", of_call(call.rank, call.at),
                     fmt::format(fmt::runtime(why), call.on));
}

void print_more(Kind const& kind, std::string const& noun) {
  if (kind.count > 1)
    fmt::print("  {} more like it\n", counted(kind.count - 1, noun.c_str(), (noun + "s").c_str()));
}

void Findings::print_mistyped() {
  for (auto const& kind : mistyped_) {
    fmt::print(
        "types do not match: a message must be received as elements of the types it is sent as\n"
        "  sent as {}: {}\n  received as {}: {}\n",
        kind.types.sent, of_message(kind.example), kind.types.received,
        of_receive(receive_of(kind)));
    print_more(kind, "message");
  }
  for (auto const& kind : mistyped_parts_) {
    fmt::print(
        "types do not match: members of a collective must pass elements of the same types\n"
        "  sent as {}: {}\n  received as {}: {}\n",
        kind.parts.one.given, of_part(kind.parts.one), kind.parts.other.taken,
        of_part(kind.parts.other));
    print_more(kind, "collective");
  }
}

void Findings::print() {
  if (was_quiescent())
    fmt::print("{}\n", reported_ ? "deadlock: the report is above" : history_.deadlock);
  if (failed())
    fmt::print("failure: the run ended with exit code {}{}{}\n", end_->exit_code,
               end_->why.empty() ? "" : ": ", end_->why);
  print_races(history_, races_);
  constexpr auto mismatch =
      "collectives do not match: all members must make the same calls in the same order\n"
      "  {}\n  {}\n";
  for (auto const& [one, other] : mismatches_) fmt::print(mismatch, of_part(one), of_part(other));
  for (auto const& [made, rank] : missing_)
    fmt::print(mismatch, of_part(made), fmt::format("rank {}: no such call until its end", rank));
  print_mistyped();
  for (auto const& kind : altered_) {
    fmt::print(
        "buffer altered: a send's buffer must stay as it is until the send is complete\n"
        "  sent {}\n  completed {}\n",
        of_message(kind.example), of_call(kind.rank, kind.altered.at));
    print_more(kind, "message");
  }
  for (auto const& kind : unreceived_) {
    fmt::print("never received: {}\n", of_message(kind.example));
    print_more(kind, "message");
  }
  for (auto const& kind : open_receives_) {
    fmt::print("never got a message: {}\n", of_receive(kind));
    print_more(kind, "receive");
  }
  for (auto const& kind : unreleased_) {
    fmt::print("never freed: rank {}: {}\n", kind.rank,
               texts_.sites().call_text(kind.rank, kind.example));
    print_more(kind, "object");
  }
  if (!hazard_.empty()) fmt::print("hazard: a deadlock if sends waited for their receivers:\n");
  for (auto const& call : hazard_) fmt::print("  {}\n", of_stuck(call));
  auto const found = count();
  fmt::print("{}: {}\n", folder_,
             found == 0 ? "nothing found" : counted(found, "finding", "findings"));
}

json Findings::call_to_json(std::uint32_t rank, Place const& at) {
  return {{"rank", rank}, {"event", at.call}, {"call", texts_.sites().call_text(rank, at.site)}};
}

json Findings::message_to_json(std::uint32_t message) {
  auto const& sent = history_.messages[message];
  std::string const label{history_.ranks[sent.source].label_of(sent.context)};
  auto made = call_to_json(sent.source, sent.at);
  made["message"] = sent.sequence;
  made["dest"] = sent.dest;
  made["tag"] = sent.tag;
  made["context"] = label.empty() ? json(nullptr) : json(label);
  made["bytes"] = sent.length;
  return made;
}

/// The receive of a message.
Kind Findings::receive_of(MistypedKind const& kind) const {
  return {.rank = kind.rank, .example = history_.messages[kind.example].matched_by};
}

json Findings::receive_to_json(Kind const& kind) {
  auto const& receive = history_.ranks[kind.rank].receives[kind.example];
  auto made = call_to_json(kind.rank, receive.at);
  made["asked"] = texts_.asked(kind.rank, receive);
  return made;
}

json Findings::mistyped_to_json() {
  json made = json::array();
  for (auto const& kind : mistyped_) {
    auto& one = made.emplace_back(json{{"sent", message_to_json(kind.example)},
                                       {"received", receive_to_json(receive_of(kind))},
                                       {"count", kind.count}});
    one["sent"]["as"] = kind.types.sent;
    one["received"]["as"] = kind.types.received;
  }
  return made;
}

json Findings::mistyped_parts_to_json() {
  json made = json::array();
  for (auto const& kind : mistyped_parts_) {
    auto& one = made.emplace_back(json{{"sent", part_to_json(kind.parts.one)},
                                       {"received", part_to_json(kind.parts.other)},
                                       {"count", kind.count}});
    one["sent"]["as"] = kind.parts.one.given;
    one["received"]["as"] = kind.parts.other.taken;
  }
  return made;
}

json Findings::to_json() {
  json unreceived = json::array();
  for (auto const& kind : unreceived_) {
    unreceived.push_back(message_to_json(kind.example));
    unreceived.back()["count"] = kind.count;
  }
  json receives = json::array();
  for (auto const& kind : open_receives_) {
    receives.push_back(receive_to_json(kind));
    receives.back()["count"] = kind.count;
  }
  json unreleased = json::array();
  for (auto const& kind : unreleased_)
    unreleased.push_back({{"rank", kind.rank},
                          {"made", texts_.sites().call_text(kind.rank, kind.example)},
                          {"count", kind.count}});
  json mismatches = json::array();
  for (auto const& [one, other] : mismatches_)
    mismatches.push_back({part_to_json(one), part_to_json(other)});
  for (auto const& [made, rank] : missing_)
    mismatches.push_back({part_to_json(made), json{{"rank", rank}}});
  json altered = json::array();
  for (auto const& kind : altered_)
    altered.push_back({{"sent", message_to_json(kind.example)},
                       {"completed", call_to_json(kind.rank, kind.altered.at)},
                       {"count", kind.count}});
  json hazard = json::array();
  for (auto const& call : hazard_) {
    auto& one = hazard.emplace_back(call_to_json(call.rank, call.at));
    one["sends"] = call.sends;
    one["waits_for"] = call.on;
  }
  return {{"recording", folder_},
          {"exit_code", end_ ? json(end_->exit_code) : json(nullptr)},
          {"failure", failed() && !end_->why.empty() ? json(end_->why) : json(nullptr)},
          {"deadlock", was_quiescent() ? json(history_.deadlock) : json(nullptr)},
          {"races", races_to_json(history_, races_)},
          {"collectives", std::move(mismatches)},
          {"types", mistyped_to_json()},
          {"collective_types", mistyped_parts_to_json()},
          {"buffers", std::move(altered)},
          {"unreceived", std::move(unreceived)},
          {"receives", std::move(receives)},
          {"unreleased", std::move(unreleased)},
          {"hazard", std::move(hazard)},
          {"findings", count()}};
}

}  // namespace

std::uint64_t print_check(std::string const& folder, CheckOptions const& options) {
  Findings findings(folder, options);
  if (options.json)
    print_json(findings.to_json());
  else
    findings.print();
  std::fflush(stdout);
  return findings.count();
}

}  // namespace earl::analyse
