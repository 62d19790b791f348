// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/hazards.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace earl::analyse {

using events::Event;
using events::EventKind;

namespace {

/// The actions of a rank that can make others wait.
struct Act {
  enum class Kind : std::uint8_t { offer, send, sent, post, take, have, begin, end };
  Kind kind = Kind::offer;
  std::uint32_t what = none;  ///< a message; of `begin` and `end` a collective of the rank's
  Place at{};
};

struct Collective {
  std::array<std::uint64_t, 2> name{};  ///< context and number
  DataFlow flow = DataFlow::all_to_all;
  std::size_t root = 0;
  std::vector<std::int32_t> const* members = nullptr;  ///< null: unknown
};

/// The acts of one rank, from its events.
class Acts {
 public:
  Acts(Source source, History const& history, std::uint32_t rank) : history_(history), rank_(rank) {
    Event event;
    while (source && source(event)) take(event);
  }

  std::vector<Act> all{};
  std::vector<Collective> collectives{};

 private:
  void take(Event const& event);
  void add(Act::Kind kind, std::uint32_t what) {
    all.push_back({.kind = kind, .what = what, .at = at_});
  }
  std::uint32_t received(Event const& event) const {
    return event.peer < 0
               ? none
               : history_.find(static_cast<std::uint32_t>(event.peer), rank_, event.sequence);
  }
  void begin(Event const& event);

  History const& history_;
  std::uint32_t rank_;
  Place at_{};
  std::size_t receives_ = 0;
  std::uint64_t tested_ = 0;  ///< the last call that reported one of several requests, or a test
  std::map<std::uint64_t, std::uint32_t> posted_{};  ///< message by post
  std::map<std::uint64_t, std::vector<std::int32_t>> groups_{};
};

void Acts::begin(Event const& event) {
  auto const group = groups_.find(event.count);
  add(Act::Kind::begin, static_cast<std::uint32_t>(collectives.size()));
  collectives.push_back({.name = {event.context, event.number},
                         .flow = event.flow,
                         .root = event.root,
                         .members = group == groups_.end() ? nullptr : &group->second});
}

void Acts::take(Event const& event) {
  auto const& receives = history_.ranks[rank_].receives;
  switch (event.kind) {
    case EventKind::members:
      groups_.emplace(groups_.size(), event.ranks);
      return;
    case EventKind::call:
      at_ = {.site = event.site, .call = event.call, .time = event.time};
      return;
    case EventKind::missed:
      at_.call = event.call;
      return;
    case EventKind::send: {
      auto const dest = static_cast<std::uint32_t>(event.peer);
      auto const message = history_.find(rank_, dest, event.sequence);
      add(Act::Kind::offer, message);
      return add(Act::Kind::send, message);
    }
    case EventKind::tested:
      tested_ = at_.call;
      return;
    case EventKind::send_completed: {
      // A test does not wait, nor does a wait for any of several have to wait for this one.
      if (tested_ == at_.call || event.peer < 0) return;
      auto const dest = static_cast<std::uint32_t>(event.peer);
      return add(Act::Kind::sent, history_.find(rank_, dest, event.sequence));
    }
    case EventKind::post: {
      auto const message = receives_ < receives.size() ? receives[receives_].message : none;
      ++receives_;
      posted_[event.post] = message;
      return add(Act::Kind::post, message);
    }
    case EventKind::completed: {
      auto const posted = posted_.find(event.post);
      if (posted == posted_.end()) return;
      add(Act::Kind::have, posted->second);
      posted_.erase(posted);
      return;
    }
    case EventKind::found:
      add(Act::Kind::have, received(event));
      if (event.count == 0) return;
      [[fallthrough]];
    case EventKind::taken:
      ++receives_;
      return add(Act::Kind::take, received(event));
    case EventKind::collective:
      return begin(event);
    case EventKind::collected:
      if (!collectives.empty())
        add(Act::Kind::end, static_cast<std::uint32_t>(collectives.size() - 1));
      return;
    default:
      return;
  }
}

/// The run again, with sends that wait.
class Rerun {
 public:
  Rerun(std::vector<Source> sources, History const& history)
      : history_(history),
        sent_(history.messages.size()),
        wanted_(history.messages.size()),
        at_(sources.size()),
        begun_(sources.size()) {
    for (std::uint32_t rank = 0; rank < sources.size(); ++rank)
      acts_.emplace_back(std::move(sources[rank]), history, rank);
  }

  /// The part that comes.
  void run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::uint32_t rank = 0; rank < acts_.size(); ++rank)
        while (at_[rank] < acts_[rank].all.size() && step(rank)) moved = true;
    }
  }

  std::vector<StuckCall> cycle() const;

 private:
  Act const& act_of(std::uint32_t rank) const { return acts_[rank].all[at_[rank]]; }
  bool step(std::uint32_t rank);
  std::optional<std::uint32_t> awaited(std::uint32_t rank, Act const& act) const;
  std::optional<std::uint32_t> absent(std::uint32_t rank, Collective const& collective) const;
  std::optional<StuckCall> stuck(std::uint32_t rank) const;

  History const& history_;
  std::vector<Acts> acts_{};
  std::vector<bool> sent_;
  std::vector<bool> wanted_;
  std::vector<std::size_t> at_;
  std::vector<std::map<std::array<std::uint64_t, 2>, bool>> begun_;  ///< collectives, by rank
};

/// A member whose part the rank needs to end the collective, and which has not come.
std::optional<std::uint32_t> Rerun::absent(std::uint32_t rank, Collective const& one) const {
  if (!one.members) return std::nullopt;
  auto const& members = *one.members;
  auto const me = static_cast<std::size_t>(
      std::ranges::find(members, static_cast<std::int32_t>(rank)) - members.begin());
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (one.flow == DataFlow::from_root && i != one.root) continue;
    if (one.flow == DataFlow::to_root && me != one.root) continue;
    if (one.flow == DataFlow::in_order && i >= me) continue;
    auto const member = static_cast<std::size_t>(members[i]);
    if (member < begun_.size() && !begun_[member].contains(one.name))
      return static_cast<std::uint32_t>(member);
  }
  return std::nullopt;
}

/// A send to oneself that waits is one of MPI's.
bool send_may_wait(SentMessage const& message) {
  return is_by_default(message.mode) &&
         (message.dest != message.source || message.mode == Mode::standard_by_default);
}

/// The rank that the act waits for; null: it can be done.
std::optional<std::uint32_t> Rerun::awaited(std::uint32_t rank, Act const& act) const {
  if (act.kind == Act::Kind::end) return absent(rank, acts_[rank].collectives[act.what]);
  if (act.what == none || act.kind == Act::Kind::begin) return std::nullopt;
  auto const& message = history_.messages[act.what];
  if (act.kind == Act::Kind::have && !sent_[act.what]) return message.source;
  bool const waits = (act.kind == Act::Kind::send && send_may_wait(message)) ||
                     (act.kind == Act::Kind::sent && message.mode == Mode::standard);
  bool const is_received = message.matched_by != none && !message.taken_back;
  return waits && is_received && !wanted_[act.what] ? std::optional{message.dest} : std::nullopt;
}

/// False: it waits.
bool Rerun::step(std::uint32_t rank) {
  auto const& act = act_of(rank);
  bool const names_message = act.what != none;
  if (awaited(rank, act)) return false;
  if (act.kind == Act::Kind::offer && names_message) sent_[act.what] = true;
  if ((act.kind == Act::Kind::post || act.kind == Act::Kind::take) && names_message)
    wanted_[act.what] = true;
  if (act.kind == Act::Kind::begin) begun_[rank][acts_[rank].collectives[act.what].name] = true;
  ++at_[rank];
  return true;
}

std::optional<StuckCall> Rerun::stuck(std::uint32_t rank) const {
  if (at_[rank] == acts_[rank].all.size()) return std::nullopt;
  auto const& act = act_of(rank);
  auto const on = awaited(rank, act);
  if (!on) return std::nullopt;
  return StuckCall{.rank = rank,
                   .at = act.at,
                   .on = *on,
                   .message = act.kind == Act::Kind::end ? none : act.what,
                   .sends = act.kind == Act::Kind::send || act.kind == Act::Kind::sent};
}

std::vector<StuckCall> Rerun::cycle() const {
  for (std::uint32_t first = 0; first < acts_.size(); ++first) {
    std::vector<StuckCall> way;
    auto next = stuck(first);
    while (next) {
      auto const seen = std::ranges::find(way, next->rank, &StuckCall::rank);
      if (seen != way.end()) {
        way.erase(way.begin(), seen);
        if (std::ranges::any_of(way, &StuckCall::sends)) return way;
        break;
      }
      way.push_back(*next);
      next = stuck(next->on);
    }
  }
  return {};
}

}  // namespace

std::vector<StuckCall> find_hazard(std::vector<Source> sources, History const& history) {
  Rerun rerun(std::move(sources), history);
  rerun.run();
  return rerun.cycle();
}

}  // namespace earl::analyse
