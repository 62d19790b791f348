// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "debug/analyse/load.hpp"
#include "debug/analyse/print_json.hpp"
#include "debug/analyse/steps.hpp"
#include "debug/trace/describe.hpp"
#include "generic/base/error.hpp"

namespace earl::analyse {

using nlohmann::json;

namespace {

class Listing {
 public:
  Listing(History const& history, MessageOptions const& options)
      : history_(history), options_(options), texts_(history) {}

  void print();

 private:
  bool wanted(std::uint32_t rank, Step const& step);
  std::string const& call_of(std::uint32_t rank, Place const& at) {
    return texts_.sites().call_text(rank, at.site);
  }
  json to_json(std::uint32_t rank, Step const& step);

  History const& history_;
  MessageOptions const& options_;
  StepTexts texts_;
};

bool Listing::wanted(std::uint32_t rank, Step const& step) {
  if (step.receive == none && !options_.sends) return false;
  if (step.at.call < options_.from || step.at.call > options_.to) return false;
  if (!options_.site.empty() && call_of(rank, step.at).find(options_.site) == std::string::npos)
    return false;
  if (!options_.peer && !options_.tag) return true;
  if (step.message == none) return false;
  auto const& message = history_.messages[step.message];
  auto const peer = step.receive == none ? message.dest : message.source;
  return options_.peer.value_or(static_cast<std::int32_t>(peer)) ==
             static_cast<std::int32_t>(peer) &&
         options_.tag.value_or(message.tag) == message.tag;
}

json Listing::to_json(std::uint32_t rank, Step const& step) {
  json made = {{"rank", rank},
               {"event", step.at.call},
               {"call", call_of(rank, step.at)},
               {"kind", step.receive == none ? "send" : "receive"}};
  if (step.receive != none) {
    auto const& receive = history_.ranks[rank].receives[step.receive];
    made["asked"] = texts_.asked(rank, receive);
  }
  if (step.message == none) return made;
  auto const& message = history_.messages[step.message];
  made["message"] = message.sequence;
  made["peer"] = step.receive == none ? message.dest : message.source;
  made["tag"] = message.tag;
  made["bytes"] = message.length;
  if (step.receive == none) {
    made["received"] = message.matched_by != none;
  } else {
    made["sent"] = {{"event", message.at.call}, {"call", call_of(message.source, message.at)}};
  }
  return made;
}

void Listing::print() {
  json all = json::array();
  bool found = false;
  auto const steps = steps_of(history_);
  for (std::uint32_t rank = 0; rank < history_.ranks.size(); ++rank) {
    if (options_.rank && static_cast<std::uint32_t>(*options_.rank) != rank) continue;
    for (auto const& step : steps[rank]) {
      if (!wanted(rank, step)) continue;
      found = true;
      if (options_.json)
        all.push_back(to_json(rank, step));
      else
        fmt::print("rank {}, event {}: {}\n", rank, step.at.call, texts_.of(rank, step));
    }
  }
  if (options_.json) print_json(all);
  std::fflush(stdout);
  if (!found)
    fmt::print(stderr, "earl: no {} of this run fits\n", options_.sends ? "message" : "receive");
}

}  // namespace

void print_messages(std::string const& folder, MessageOptions const& options) {
  auto const history = load_history(folder);
  for (auto const rank : {options.rank, options.peer})
    if (rank && static_cast<std::size_t>(*rank) >= history.ranks.size())
      throw Error("{} has no rank {}: it has {}, 0 to {}", folder, *rank,
                  trace::counted(history.ranks.size(), "rank", "ranks"), history.ranks.size() - 1);
  Listing(history, options).print();
}

}  // namespace earl::analyse
