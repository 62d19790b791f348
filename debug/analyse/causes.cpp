// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/causes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace earl::analyse {

using events::EventKind;

Causes::Causes(History& history, std::vector<Source> sources, std::uint32_t initial)
    : history_(history), readings_(sources.size()), initial_(initial) {
  history_.ranks.resize(sources.size());
  for (std::size_t rank = 0; rank < sources.size(); ++rank) {
    history_.ranks[rank].present = static_cast<bool>(sources[rank]);
    readings_[rank].over = !sources[rank];
    readings_[rank].source = std::move(sources[rank]);
    readings_[rank].clock.resize(sources.size());
  }
}

/// Round and round, each rank as far as it goes. Where none goes on, a record is missing or cut:
/// the first goes on without its cause.
void Causes::read_all() {
  for (;;) {
    bool moved = false;
    for (std::uint32_t rank = 0; rank < readings_.size(); ++rank) moved = advance(rank) || moved;
    if (moved) continue;
    auto const stuck =
        std::ranges::find_if(readings_, [](Reading const& one) { return !one.over; });
    if (stuck == readings_.end()) return;
    auto const rank = static_cast<std::uint32_t>(stuck - readings_.begin());
    ++history_.unexplained;
    started_.try_emplace(rank, nullptr);
    take(rank, stuck->event, true);
    stuck->holds = false;
  }
}

bool Causes::may_begin(std::uint32_t rank) const {
  return rank < initial_ || started_.contains(rank);
}

void Causes::join_starter(std::uint32_t rank) {
  auto const starter = started_.find(rank);
  if (starter == started_.end() || !starter->second) return;
  join_clock(rank, std::exchange(starter->second, nullptr), starters_.at(rank));
  complete(rank);
}

bool Causes::advance(std::uint32_t rank) {
  auto& reading = readings_[rank];
  bool moved = false;
  while (!reading.over) {
    if (!reading.holds) {
      reading.holds = reading.source(reading.event);
      reading.over = !reading.holds;
      if (reading.over) return true;
    }
    if (!take(rank, reading.event, false)) break;
    reading.holds = false;
    moved = true;
  }
  return moved;
}

bool Causes::take(std::uint32_t rank, Event& event, bool forced) {
  if (take_definition(rank, event)) return true;
  auto& reading = readings_[rank];
  auto& own = history_.ranks[rank];
  if (!may_begin(rank)) return false;
  join_starter(rank);
  switch (event.kind) {
    case EventKind::call:
      reading.at = {.site = event.site, .call = event.call, .time = event.time};
      own.calls = std::max(own.calls, event.call);
      own.last = reading.at;
      ++use_of(rank).calls;
      return true;
    case EventKind::waited:
      use_of(rank).waited += static_cast<std::uint64_t>(event.time);
      return true;
    case EventKind::missed:
      return take_missed(rank, event), true;
    case EventKind::send:
      return take_send(rank, event), true;
    case EventKind::post:
      return take_post(rank, event), true;
    case EventKind::match:
      return take_match(rank, event), true;
    case EventKind::cancelled:
      return take_cancelled(rank, event), true;
    case EventKind::completed:
      return take_completed(rank, event, forced);
    case EventKind::found:
    case EventKind::taken:
      return take_found(rank, event, forced);
    case EventKind::sent:
      return take_sent(rank, event, forced);
    case EventKind::unsent:
      return take_back(rank, event), true;
    case EventKind::tested:
      return take_tested(rank, event), true;
    case EventKind::collective:
      return begin_collective(rank, event), true;
    case EventKind::collected:
      return take_collected(rank, forced);
    case EventKind::meeting:
      return take_meeting(rank, event, forced);
    case EventKind::end:
      own.ended = true;
      return true;
    case EventKind::unreleased:
      own.unreleased.push_back({.site = event.site, .count = event.count});
      return true;
    case EventKind::send_completed:
      if (event.count != 0 && event.peer >= 0)
        own.altered.push_back({.dest = static_cast<std::uint32_t>(event.peer),
                               .sequence = event.sequence,
                               .at = readings_[rank].at});
      return true;
    case EventKind::mistyped:
      return take_mistyped(rank, event), true;
    case EventKind::exec:
      for (auto const child : event.ranks) {
        auto const position = static_cast<std::uint32_t>(child);
        started_.emplace(position, clock_of(rank));
        starters_.emplace(position, rank);
      }
      return true;
    default:
      return true;
  }
}

/// True: it only gives something a number.
bool Causes::take_definition(std::uint32_t rank, Event& event) {
  auto& reading = readings_[rank];
  auto& own = history_.ranks[rank];
  switch (event.kind) {
    case EventKind::module:
      reading.modules.push_back({.module = event.text, .build_id = event.more});
      return true;
    case EventKind::site: {
      auto site =
          event.count < reading.modules.size() ? reading.modules[event.count] : trace::KnownSite{};
      site.name = event.text;
      site.offset = event.offset;
      own.sites.push_back(std::move(site));
      return true;
    }
    case EventKind::filter:
      own.filters.push_back(event.filter);
      return true;
    case EventKind::label:
      own.labels[event.context] = event.text;
      return true;
    case EventKind::notice:
      own.notices[event.sequence] = event.text;
      return true;
    case EventKind::members:
      reading.groups.push_back(event.ranks);
      return true;
    case EventKind::string:
      reading.strings.push_back(event.text);
      return true;
    default:
      return false;
  }
}

void Causes::take_mistyped(std::uint32_t rank, Event const& event) {
  auto const& strings = readings_[rank].strings;
  if (event.peer < 0 || event.what >= strings.size() || event.count >= strings.size()) return;
  history_.ranks[rank].mistyped.push_back({.source = static_cast<std::uint32_t>(event.peer),
                                           .sequence = event.sequence,
                                           .sent = strings[event.what],
                                           .received = strings[event.count]});
}

/// The site of the call under way.
SiteUse& Causes::use_of(std::uint32_t rank) {
  auto& uses = history_.ranks[rank].uses;
  auto const site = std::min<std::size_t>(readings_[rank].at.site, trace::most_sites);
  if (site >= uses.size()) uses.resize(site + 1);
  return uses[site];
}

void Causes::take_send(std::uint32_t rank, Event const& event) {
  auto& reading = readings_[rank];
  auto const dest = static_cast<std::uint32_t>(event.peer);
  if (dest >= readings_.size()) return;
  keeps_clocks_ = keeps_clocks_ || event.mode == Mode::synchronous;
  auto& inbound = history_.ranks[dest].inbound;
  reading.inbound_at.resize(readings_.size(), none);
  if (reading.inbound_at[dest] == none) {
    reading.inbound_at[dest] = static_cast<std::uint32_t>(inbound.size());
    inbound.push_back({.source = rank});
  }
  auto const number = static_cast<std::uint32_t>(history_.messages.size());
  inbound[reading.inbound_at[dest]].messages.push_back(number);
  history_.messages.push_back({.source = rank,
                               .dest = dest,
                               .sequence = event.sequence,
                               .context = event.context,
                               .length = event.length,
                               .tag = event.tag,
                               .check = event.check,
                               .mode = event.mode,
                               .known = reading.clock[dest],
                               .own = reading.clock[rank],
                               .at = reading.at,
                               .clock = clock_of(rank)});
}

Receive& Causes::add_receive(std::uint32_t rank, Event const& event) {
  auto& reading = readings_[rank];
  return history_.ranks[rank].receives.emplace_back(
      Receive{.filter = event.kind == EventKind::taken ? none : event.what,
              .post = event.post,
              .at = reading.at,
              .known_at_post = reading.clock[rank],
              .clock = clock_of(rank)});
}

void Causes::take_post(std::uint32_t rank, Event const& event) {
  readings_[rank].posted[event.post] =
      static_cast<std::uint32_t>(history_.ranks[rank].receives.size());
  add_receive(rank, event);
}

void Causes::take_match(std::uint32_t rank, Event const& event) {
  auto const posted = readings_[rank].posted.find(event.post);
  if (posted == readings_[rank].posted.end()) return;
  auto& receive = history_.ranks[rank].receives[posted->second];
  receive.source = event.peer;
  receive.sequence = event.sequence;
  if (event.peer >= 0) taken_[key_of(rank, receive)] = receive.clock;
}

void Causes::take_cancelled(std::uint32_t rank, Event const& event) {
  auto const posted = readings_[rank].posted.find(event.post);
  if (posted != readings_[rank].posted.end())
    history_.ranks[rank].receives[posted->second].cancelled = true;
}

bool Causes::take_completed(std::uint32_t rank, Event const& event, bool forced) {
  auto const posted = readings_[rank].posted.find(event.post);
  if (posted == readings_[rank].posted.end()) return true;
  auto const number = posted->second;
  auto& receive = history_.ranks[rank].receives[number];
  if (!join_message(rank, receive.source, receive.sequence, forced)) return false;
  complete(rank, number);
  discard_unless_synchronous(rank, receive);
  readings_[rank].posted.erase(posted);
  return true;
}

std::array<std::uint64_t, 3> Causes::key_of(std::uint32_t rank, Receive const& receive) {
  return {static_cast<std::uint64_t>(receive.source), rank, receive.sequence};
}

/// A receive's knowledge at posting time matters if its message was sent synchronously.
void Causes::discard_unless_synchronous(std::uint32_t rank, Receive& receive) {
  if (!keeps_clocks_) receive.clock.reset();
  if (receive.source < 0) return;
  auto const message =
      history_.find(static_cast<std::uint32_t>(receive.source), rank, receive.sequence);
  if (message == none || history_.messages[message].mode != Mode::synchronous)
    taken_.erase(key_of(rank, receive));
}

Question& Causes::add_question(std::uint32_t rank, Event const& event, std::uint64_t count) {
  auto& reading = readings_[rank];
  auto& question = history_.ranks[rank].questions.emplace_back();
  question.number = reading.questions;
  question.count = count;
  question.operation = event.operation;
  question.at = reading.at;
  reading.questions += count;
  return question;
}

void Causes::complete_question(std::uint32_t rank, std::uint32_t receive) {
  auto& questions = history_.ranks[rank].questions;
  questions.back().receive = receive;
  questions.back().completion = readings_[rank].clock[rank];
  complete(rank, receive, static_cast<std::uint32_t>(questions.size() - 1));
}

void Causes::take_missed(std::uint32_t rank, Event const& event) {
  auto& own = history_.ranks[rank];
  readings_[rank].at.call = event.call;
  own.calls = std::max(own.calls, event.call);
  own.last = readings_[rank].at;
  own.answers += event.count;
  use_of(rank).calls += event.count - 1;
  add_question(rank, event, event.count).filter = event.what;
  complete_question(rank);
}

void Causes::take_tested(std::uint32_t rank, Event const& event) {
  ++history_.ranks[rank].answers;
  auto& question = add_question(rank, event, 1);
  question.yes = true;
  question.requests = event.number;
  question.positions = event.number > 1 ? event.ranks : std::vector<std::int32_t>{};
  complete_question(rank);
}

/// The receive is a probe, or was not posted.
bool Causes::take_found(std::uint32_t rank, Event const& event, bool forced) {
  bool const takes = event.kind == EventKind::taken || event.count != 0;
  auto const at = readings_[rank].clock[rank];
  if (!join_message(rank, event.peer, event.sequence, forced)) return false;
  if (event.kind == EventKind::found) {
    auto& question = add_question(rank, event, 1);
    question.yes = true;
    question.filter = event.what;
    question.source = event.peer;
    question.sequence = event.sequence;
  }
  if (!takes) {
    ++history_.ranks[rank].answers;
    return complete_question(rank), true;
  }
  auto& receive = add_receive(rank, event);
  receive.operation = event.kind == EventKind::taken ? OpKind::handler : event.operation;
  receive.known_at_post = at;
  receive.source = event.peer;
  receive.sequence = event.sequence;
  taken_[key_of(rank, receive)] = receive.clock;
  auto const number = static_cast<std::uint32_t>(history_.ranks[rank].receives.size() - 1);
  if (event.kind == EventKind::found)
    complete_question(rank, number);
  else
    complete(rank, number);
  discard_unless_synchronous(rank, receive);
  return true;
}

/// A synchronous send has completed: its message was matched, so the sender now knows all that its
/// receiver knew when it posted that receive.
bool Causes::take_sent(std::uint32_t rank, Event const& event, bool forced) {
  auto const dest = static_cast<std::uint32_t>(event.peer);
  auto const taken = taken_.find({rank, dest, event.sequence});
  if (taken == taken_.end() && !forced && dest < readings_.size()) return false;
  if (taken != taken_.end()) join_clock(rank, taken->second, dest);
  auto const message = history_.find(rank, dest, event.sequence);
  if (message != none) history_.messages[message].over = readings_[rank].clock[rank];
  complete(rank);
  return true;
}

void Causes::take_back(std::uint32_t rank, Event const& event) {
  auto const message = history_.find(rank, static_cast<std::uint32_t>(event.peer), event.sequence);
  if (message != none) history_.messages[message].taken_back = true;
}

SharedClock Causes::clock_of(std::uint32_t rank) {
  auto& reading = readings_[rank];
  if (!reading.shared) reading.shared = std::make_shared<Clock const>(reading.clock);
  return reading.shared;
}

void Causes::join_clock(std::uint32_t rank, SharedClock const& clock, std::uint32_t from) {
  auto& own = readings_[rank].clock;
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = std::max(own[i], (*clock)[i]);
  readings_[rank].shared.reset();
  history_.causes.push_back({.rank = from, .completions = (*clock)[from]});
}

void Causes::complete(std::uint32_t rank, std::uint32_t receive, std::uint32_t question) {
  auto& own = readings_[rank].clock[rank];
  if (receive != none) {
    auto& completed = history_.ranks[rank].receives[receive];
    completed.completion = own;
    completed.done = readings_[rank].at;
  }
  history_.ranks[rank].completions = ++own;
  readings_[rank].shared.reset();
  history_.joins.push_back({.rank = rank,
                            .receive = receive,
                            .question = question,
                            .causes = static_cast<std::uint32_t>(history_.causes.size()),
                            .call = readings_[rank].at.call});
}

bool Causes::join_message(std::uint32_t rank, std::int32_t source, std::uint64_t sequence,
                          bool forced) {
  if (source < 0) return true;  // EXEC's knowledge is not in the events
  auto const from = static_cast<std::uint32_t>(source);
  auto const number = history_.find(from, rank, sequence);
  if (number == none) return forced;
  auto& message = history_.messages[number];
  if (message.clock) join_clock(rank, message.clock, from);
  if (!keeps_clocks_) message.clock.reset();
  return true;
}

void Causes::begin_collective(std::uint32_t rank, Event const& event) {
  readings_[rank].collective = event;
  auto& gathering = gatherings_[fmt::format("c{}/{}", event.context, event.number)];
  gathering.came.push_back(rank);
  gathering.clocks.push_back(clock_of(rank));
}

bool Causes::join_all(std::uint32_t rank, Gathering const& gathering, std::size_t expected,
                      bool forced) {
  if (gathering.came.size() < expected && !forced) return false;
  for (std::size_t i = 0; i < gathering.came.size(); ++i)
    if (gathering.came[i] != rank) join_clock(rank, gathering.clocks[i], gathering.came[i]);
  return true;
}

bool Causes::take_collected(std::uint32_t rank, bool forced) {
  auto& reading = readings_[rank];
  if (!reading.collective) return true;
  auto const& event = *reading.collective;
  if (event.count >= reading.groups.size()) return true;
  auto const& group = reading.groups[event.count];
  auto const me = static_cast<std::size_t>(
      std::ranges::find(group, static_cast<std::int32_t>(rank)) - group.begin());
  // The members whose contribution this member has when the operation ends.
  auto const joined = [&](std::size_t member) {
    if (member == me) return false;
    if (event.flow == DataFlow::from_root) return member == event.root;
    if (event.flow == DataFlow::to_root) return me == event.root;
    return event.flow == DataFlow::all_to_all || member < me;
  };
  auto const name = fmt::format("c{}/{}", event.context, event.number);
  auto& all = gatherings_[name];
  Gathering needed;
  std::size_t expected = 0;
  for (std::size_t member = 0; member < group.size(); ++member) {
    if (!joined(member)) continue;
    ++expected;
    auto const came = std::ranges::find(all.came, static_cast<std::uint32_t>(group[member]));
    if (came == all.came.end()) continue;
    needed.came.push_back(*came);
    needed.clocks.push_back(all.clocks[static_cast<std::size_t>(came - all.came.begin())]);
  }
  if (!join_all(rank, needed, expected, forced)) return false;
  if (++all.left == group.size()) gatherings_.erase(name);
  reading.collective.reset();
  complete(rank);
  return true;
}

/// The n-th time that `count` processes meet under one name.
bool Causes::take_meeting(std::uint32_t rank, Event const& event, bool forced) {
  auto& reading = readings_[rank];
  auto const word = event.what < reading.strings.size() ? reading.strings[event.what] : "";
  auto const name = fmt::format("m{}/{}/{}", event.number, event.count, word);
  auto const now = fmt::format("{}/{}", name, reading.meetings[name]);
  auto& gathering = gatherings_[now];
  if (std::ranges::count(gathering.came, rank) == 0) {
    gathering.came.push_back(rank);
    gathering.clocks.push_back(clock_of(rank));
  }
  if (!join_all(rank, gathering, event.count, forced)) return false;
  if (++gathering.left == event.count) gatherings_.erase(now);
  ++reading.meetings[name];
  complete(rank);
  return true;
}

}  // namespace earl::analyse
