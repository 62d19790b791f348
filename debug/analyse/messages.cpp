// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "debug/analyse/load.hpp"
#include "debug/analyse/sites.hpp"
#include "debug/trace/describe.hpp"

namespace earl::analyse {

using nlohmann::json;

namespace {

/// A receive or a send of one rank.
struct Item {
  Place at{};
  std::uint32_t receive = none;  ///< of the rank's; none: a send
  std::uint32_t message = none;
};

class Listing {
 public:
  Listing(History const& history, MessageOptions const& options)
      : history_(history), options_(options), sites_(history) {}

  void print();

 private:
  std::vector<Item> items_of(std::uint32_t rank);
  bool wanted(std::uint32_t rank, Item const& item);
  std::string in_words(std::uint32_t rank, Item const& item);
  std::string send_in_words(std::uint32_t rank, SentMessage const& message);
  std::string asked_in_words(std::uint32_t rank, Receive const& receive) const;
  json to_json(std::uint32_t rank, Item const& item);

  History const& history_;
  MessageOptions const& options_;
  Sites sites_;
};

std::vector<Item> Listing::items_of(std::uint32_t rank) {
  std::vector<Item> items;
  auto const& receives = history_.ranks[rank].receives;
  for (std::uint32_t i = 0; i < receives.size(); ++i)
    items.push_back({.at = receives[i].at, .receive = i, .message = receives[i].message});
  for (std::uint32_t i = 0; options_.sends && i < history_.messages.size(); ++i)
    if (history_.messages[i].source == rank)
      items.push_back({.at = history_.messages[i].at, .message = i});
  std::ranges::stable_sort(items, {}, [](Item const& item) { return item.at.call; });
  return items;
}

bool Listing::wanted(std::uint32_t rank, Item const& item) {
  if (item.at.call < options_.from || item.at.call > options_.to) return false;
  if (!options_.site.empty() &&
      sites_.words(rank, item.at.site).find(options_.site) == std::string::npos)
    return false;
  if (!options_.peer && !options_.tag) return true;
  if (item.message == none) return false;
  auto const& message = history_.messages[item.message];
  auto const peer = item.receive == none ? message.dest : message.source;
  return options_.peer.value_or(static_cast<std::int32_t>(peer)) ==
             static_cast<std::int32_t>(peer) &&
         options_.tag.value_or(message.tag) == message.tag;
}

std::string Listing::asked_in_words(std::uint32_t rank, Receive const& receive) const {
  auto const& filters = history_.ranks[rank].filters;
  return receive.filter < filters.size() ? filters[receive.filter].in_words() : "a handler";
}

std::string Listing::send_in_words(std::uint32_t rank, SentMessage const& message) {
  auto words = fmt::format("{} sent message {} to rank {} (tag {}, {})",
                           sites_.words(rank, message.at.site), message.sequence, message.dest,
                           message.tag, trace::counted(message.length, "byte", "bytes"));
  if (message.taker == none) return words + ", which was never received";
  return words;
}

std::string Listing::in_words(std::uint32_t rank, Item const& item) {
  if (item.receive == none) return send_in_words(rank, history_.messages[item.message]);
  auto const& receive = history_.ranks[rank].receives[item.receive];
  auto const words =
      fmt::format("{} ({})", sites_.words(rank, receive.at.site), asked_in_words(rank, receive));
  if (item.message == none)
    return words + (receive.source == number(exec_rank) ? " got a message of EXEC"
                                                        : " never got a message");
  auto const& message = history_.messages[item.message];
  return fmt::format("{} got message {} of rank {}: {} (event {}, tag {}, {})", words,
                     message.sequence, message.source,
                     sites_.words(message.source, message.at.site), message.at.call, message.tag,
                     trace::counted(message.length, "byte", "bytes"));
}

json Listing::to_json(std::uint32_t rank, Item const& item) {
  json told = {{"rank", rank},
               {"event", item.at.call},
               {"call", sites_.words(rank, item.at.site)},
               {"kind", item.receive == none ? "send" : "receive"}};
  if (item.receive != none) {
    auto const& receive = history_.ranks[rank].receives[item.receive];
    told["asked"] = asked_in_words(rank, receive);
  }
  if (item.message == none) return told;
  auto const& message = history_.messages[item.message];
  told["message"] = message.sequence;
  told["peer"] = item.receive == none ? message.dest : message.source;
  told["tag"] = message.tag;
  told["bytes"] = message.length;
  if (item.receive == none) {
    told["received"] = message.taker != none;
  } else {
    told["sent"] = {{"event", message.at.call},
                    {"call", sites_.words(message.source, message.at.site)}};
  }
  return told;
}

void Listing::print() {
  json all = json::array();
  for (std::uint32_t rank = 0; rank < history_.ranks.size(); ++rank) {
    if (options_.rank && static_cast<std::uint32_t>(*options_.rank) != rank) continue;
    for (auto const& item : items_of(rank)) {
      if (!wanted(rank, item)) continue;
      if (options_.json)
        all.push_back(to_json(rank, item));
      else
        fmt::print("rank {}, event {}: {}\n", rank, item.at.call, in_words(rank, item));
    }
  }
  if (options_.json) fmt::print("{}\n", all.dump(2, ' ', false, json::error_handler_t::replace));
  std::fflush(stdout);
}

}  // namespace

void print_messages(std::string const& folder, MessageOptions const& options) {
  auto const history = load_history(folder);
  Listing(history, options).print();
}

}  // namespace earl::analyse
