// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/mismatches.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace earl::analyse {

using events::Event;
using events::EventKind;

namespace {

/// The same context with other members is another group, as one that processes join.
using Group = std::pair<std::uint64_t, std::vector<std::int32_t>>;

bool differ(CollectivePart const& one, CollectivePart const& other) {
  bool const other_call = !one.call.empty() && !other.call.empty() && one.call != other.call;
  return one.kind != other.kind || one.flow != other.flow || other_call ||
         (one.has_root() && one.root != other.root);
}

/// The members of one collective, as far as they tell apart what is given and taken: of each pair
/// of types one member, and another one to report in its place.
class KnownTypes {
 public:
  void add(CollectivePart const& part) {
    if (part.given.empty() && part.taken.empty()) return;
    auto const same = [&](CollectivePart const& known) {
      return known.given == part.given && known.taken == part.taken;
    };
    if (std::ranges::count_if(parts_, same) < 2) parts_.push_back(part);
  }
  /// Null: all fit.
  std::optional<Mismatch> mismatch() const {
    std::optional<Mismatch> found;
    for (auto const& one : parts_)
      for (auto const& other : parts_) {
        if (one.given.empty() || other.taken.empty() || one.given == other.taken) continue;
        if (!found || found->one.rank == found->other.rank) found = {.one = one, .other = other};
      }
    return found;
  }

 private:
  std::vector<CollectivePart> parts_{};
};

class MemberComparison {
 public:
  void read(std::uint32_t rank, Source const& source);
  /// All ranks have been read. `complete`: to their ends.
  Mismatches result(bool complete) const;

 private:
  struct Known {
    std::map<std::uint64_t, CollectivePart> parts{};  ///< by number, of the first rank that has it
    std::map<std::uint64_t, KnownTypes> types{};      ///< likewise, of all
    std::map<std::int32_t, std::uint64_t> made{};     ///< by rank, how many
    bool mismatch = false;
    std::uint64_t number = 0;  ///< of the first difference
    Mismatch first_difference{};
  };

  void compare(Known& known, std::uint64_t number, CollectivePart part);
  static std::optional<MissingCall> missing(Group const& group, Known const& known);
  /// All members agree on who they are, so that none joins or leaves between two calls.
  bool is_constant(Group const& group) const {
    auto const next = std::next(groups_.lower_bound({group.first, {}}));
    return next == groups_.end() || next->first.first != group.first;
  }

  std::map<Group, Known> groups_{};
};

/// The definitions of one rank, and its call under way.
struct Reading {
  std::vector<std::string> strings{};
  std::vector<std::string> sites{};
  std::vector<std::vector<std::int32_t>> members{};
  std::map<std::uint64_t, std::string> labels{};
  CollectivePart next{};

  void take(Event const& event);
  std::string string(std::uint64_t number) const {
    return number < strings.size() ? strings[number] : "";
  }
};

void Reading::take(Event const& event) {
  switch (event.kind) {
    case EventKind::string:
      return strings.push_back(event.text);
    case EventKind::site:
      return sites.push_back(event.text);
    case EventKind::members:
      return members.push_back(event.ranks);
    case EventKind::label:
      labels[event.context] = event.text;
      return;
    case EventKind::call:
      next = {.rank = next.rank,
              .at = {.site = event.site, .call = event.call, .time = event.time}};
      return;
    case EventKind::collective_types:
      next.call = next.at.site < sites.size() ? sites[next.at.site] : "";
      next.given = string(event.what);
      next.taken = string(event.count);
      return;
    default:
      return;
  }
}

void MemberComparison::read(std::uint32_t rank, Source const& source) {
  Reading reading{.next = {.rank = rank}};
  Event event;
  while (source && source(event)) {
    reading.take(event);
    if (event.kind != EventKind::collective || event.count >= reading.members.size()) continue;
    CollectivePart part = reading.next;
    reading.next = {.rank = rank, .at = part.at};
    part.kind = event.what < reading.strings.size() ? reading.strings[event.what] : "a collective";
    part.flow = event.flow;
    part.root = event.root;
    part.context = reading.labels[event.context];
    auto& known = groups_[{event.context, reading.members[event.count]}];
    ++known.made[static_cast<std::int32_t>(rank)];
    compare(known, event.number, std::move(part));
  }
}

void MemberComparison::compare(Known& known, std::uint64_t number, CollectivePart part) {
  if (known.mismatch && number >= known.number) return;
  auto const [first, fresh] = known.parts.try_emplace(number, part);
  if (fresh || !differ(first->second, part)) {
    if (!part.call.empty()) known.types[number].add(part);
    return;
  }
  known.mismatch = true;
  known.number = number;
  known.first_difference = {.one = first->second, .other = std::move(part)};
}

std::optional<MissingCall> MemberComparison::missing(Group const& group, Known const& known) {
  for (auto const member : group.second) {
    auto const found = known.made.find(member);
    auto const made = found == known.made.end() ? 0 : found->second;
    if (made < known.parts.size())
      return MissingCall{
          .made = std::next(known.parts.begin(), static_cast<std::ptrdiff_t>(made))->second,
          .rank = static_cast<std::uint32_t>(member)};
  }
  return std::nullopt;
}

Mismatches MemberComparison::result(bool complete) const {
  Mismatches found;
  for (auto const& [group, known] : groups_) {
    if (complete && !known.mismatch && is_constant(group))
      if (auto call = missing(group, known)) found.missing.push_back(std::move(*call));
    if (known.mismatch) found.calls.push_back(known.first_difference);
    for (auto const& [number, types] : known.types) {
      if (known.mismatch && number >= known.number) break;
      if (auto mismatch = types.mismatch()) found.types.push_back(std::move(*mismatch));
    }
  }
  return found;
}

}  // namespace

Mismatches find_mismatches(std::vector<Source> sources, bool complete) {
  MemberComparison comparison;
  for (std::uint32_t rank = 0; rank < sources.size(); ++rank) comparison.read(rank, sources[rank]);
  return comparison.result(complete);
}

}  // namespace earl::analyse
