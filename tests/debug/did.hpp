// SPDX-License-Identifier: BSD-3-Clause
/// Small runs, written event by event.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "debug/analyse/history.hpp"

namespace earl::analyse {

inline constexpr int anything = -1;

/// The events of one rank.
class Did {
 public:
  Did& send(int dest, int tag, Mode mode = Mode::standard) {
    Event event;
    event.kind = EventKind::send;
    event.mode = mode;
    event.peer = dest;
    event.tag = tag;
    event.sequence = sent_[static_cast<std::size_t>(dest)]++;
    return add(event);
  }
  Did& call(std::string const& name) {
    Event site;
    site.kind = EventKind::site;
    site.text = name;
    add(site);
    Event event;
    event.kind = EventKind::call;
    event.site = sites_++;
    event.call = ++calls_;
    return add(event);
  }
  Did& call() {
    Event event;
    event.kind = EventKind::call;
    event.call = ++calls_;
    return add(event);
  }
  /// Posts a receive; gives its number to matched() and wait().
  Did& post(int source, int tag) {
    Event event;
    event.kind = EventKind::post;
    event.post = posts_++;
    event.what = filter(source, tag);
    return add(event);
  }
  Did& matched(std::uint64_t post, int source, std::uint64_t sequence) {
    Event event;
    event.kind = EventKind::match;
    event.post = post;
    event.peer = source;
    event.sequence = sequence;
    return add(event);
  }
  Did& wait(std::uint64_t post) {
    Event event;
    event.kind = EventKind::completed;
    event.post = post;
    return add(event);
  }
  /// A blocking receive and the message it got.
  Did& receive(int source, int tag, int from, std::uint64_t sequence) {
    post(source, tag);
    matched(posts_ - 1, from, sequence);
    return wait(posts_ - 1);
  }
  Did& probe(int from, std::uint64_t sequence) {
    Event event;
    event.kind = EventKind::found;
    event.operation = OpKind::probe;
    event.peer = from;
    event.sequence = sequence;
    return add(event);
  }
  /// So many calls, of which the last has been given, poll for a message and fail.
  Did& misses(std::uint64_t count, int source, int tag) {
    Event event;
    event.kind = EventKind::missed;
    event.operation = OpKind::try_probe;
    event.count = count;
    event.call = calls_;
    event.what = filter(source, tag);
    return add(event);
  }
  /// A question that has found a message.
  Did& found(OpKind operation, int source, int tag, int from, std::uint64_t sequence) {
    Event event;
    event.kind = EventKind::found;
    event.operation = operation;
    event.what = filter(source, tag);
    event.count = operation == OpKind::try_receive ? 1 : 0;
    event.peer = from;
    event.sequence = sequence;
    return add(event);
  }
  /// These of so many requests are complete.
  Did& tested(std::uint64_t requests, std::vector<std::int32_t> positions) {
    Event event;
    event.kind = EventKind::tested;
    event.operation = requests > 1 ? OpKind::wait_any : OpKind::test;
    event.number = requests;
    event.count = 1;
    event.ranks = std::move(positions);
    return add(event);
  }
  Did& sent(int dest, std::uint64_t sequence) {
    Event event;
    event.kind = EventKind::sent;
    event.peer = dest;
    event.sequence = sequence;
    return add(event);
  }
  Did& collective(DataFlow flow, std::size_t ranks, std::uint64_t root = 0) {
    Event members;
    members.kind = EventKind::members;
    for (std::size_t rank = 0; rank < ranks; ++rank)
      members.ranks.push_back(static_cast<std::int32_t>(rank));
    add(members);
    Event event;
    event.kind = EventKind::collective;
    event.what = string("collective");
    event.flow = flow;
    event.root = root;
    event.number = event.count = collectives_++;
    add(event);
    event.kind = EventKind::collected;
    return add(event);
  }
  Did& completed_send(std::int32_t dest, std::uint64_t sequence, bool altered = false) {
    Event event;
    event.kind = EventKind::send_completed;
    event.peer = dest;
    event.sequence = sequence;
    event.count = altered ? 1 : 0;
    add(event);
    return *this;
  }
  /// The types of the next collective.
  Did& types(std::string const& given, std::string const& taken) {
    Event types;
    types.kind = EventKind::collective_types;
    types.what = string(given);
    types.count = string(taken);
    return add(types);
  }
  Did& barrier(std::size_t ranks) { return collective(DataFlow::all_to_all, ranks); }
  Did& meet(std::uint64_t count) {
    Event event;
    event.kind = EventKind::meeting;
    event.count = count;
    return add(event);
  }
  Did& spawned(std::int32_t rank) {
    Event event;
    event.kind = EventKind::exec;
    event.ranks = {rank};
    return add(event);
  }

  analyse::Source source() const {
    return [events = events_, at = std::size_t{0}](events::Event& event) mutable {
      if (at == events.size()) return false;
      event = events[at++];
      return true;
    };
  }

 private:
  using Event = events::Event;
  using EventKind = events::EventKind;

  std::uint32_t filter(int source, int tag) {
    Event filter;
    filter.kind = EventKind::filter;
    filter.filter.source = source;
    filter.filter.kind = tag == anything ? TagMatch::Kind::any : TagMatch::Kind::exact;
    filter.filter.low = tag;
    add(filter);
    return filters_++;
  }
  std::uint32_t string(std::string const& text) {
    Event string;
    string.kind = EventKind::string;
    string.text = text;
    add(string);
    return strings_++;
  }
  Did& add(Event const& event) {
    events_.push_back(event);
    return *this;
  }

  std::vector<Event> events_{};
  std::array<std::uint64_t, 8> sent_{};
  std::uint64_t posts_ = 0;
  std::uint64_t calls_ = 0;
  std::uint32_t filters_ = 0;
  std::uint32_t strings_ = 0;
  std::uint32_t sites_ = 0;
  std::uint64_t collectives_ = 0;
};

inline History history_of(std::vector<Did> const& ranks) {
  std::vector<Source> sources;
  for (auto const& rank : ranks) sources.push_back(rank.source());
  return read_history(std::move(sources), 8);
}

}  // namespace earl::analyse
