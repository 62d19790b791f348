// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/mismatches.hpp"

#include <map>
#include <utility>

namespace earl::analyse {

using events::Event;
using events::EventKind;

namespace {

/// The same context with other members is another group, as one that processes join.
using Group = std::pair<std::uint64_t, std::vector<std::int32_t>>;

bool differ(CollectivePart const& one, CollectivePart const& other) {
  return one.kind != other.kind || one.flow != other.flow ||
         (one.has_root() && one.root != other.root);
}

class MemberComparison {
 public:
  void read(std::uint32_t rank, Source const& source);
  std::vector<Mismatch> result() const {
    std::vector<Mismatch> found;
    for (auto const& [group, known] : groups_)
      if (known.mismatch) found.push_back(known.first_difference);
    return found;
  }

 private:
  struct Known {
    std::map<std::uint64_t, CollectivePart> parts{};  ///< by number, of the first rank that has it
    bool mismatch = false;
    std::uint64_t number = 0;  ///< of the first difference
    Mismatch first_difference{};
  };

  void compare(Known& known, std::uint64_t number, CollectivePart part);

  std::map<Group, Known> groups_{};
};

void MemberComparison::read(std::uint32_t rank, Source const& source) {
  std::vector<std::string> strings;
  std::vector<std::vector<std::int32_t>> members;
  std::map<std::uint64_t, std::string> labels;
  Place at;
  Event event;
  while (source && source(event)) {
    if (event.kind == EventKind::string) strings.push_back(event.text);
    if (event.kind == EventKind::label) labels[event.context] = event.text;
    if (event.kind == EventKind::members) members.push_back(event.ranks);
    if (event.kind == EventKind::call)
      at = {.site = event.site, .call = event.call, .time = event.time};
    if (event.kind != EventKind::collective || event.count >= members.size()) continue;
    compare(groups_[{event.context, members[event.count]}], event.number,
            {.rank = rank,
             .at = at,
             .kind = event.what < strings.size() ? strings[event.what] : "a collective",
             .flow = event.flow,
             .root = event.root,
             .context = labels[event.context]});
  }
}

void MemberComparison::compare(Known& known, std::uint64_t number, CollectivePart part) {
  if (known.mismatch && number >= known.number) return;
  auto const [first, fresh] = known.parts.try_emplace(number, std::move(part));
  if (fresh || !differ(first->second, part)) return;
  known.mismatch = true;
  known.number = number;
  known.first_difference = {.one = first->second, .other = std::move(part)};
}

}  // namespace

std::vector<Mismatch> find_mismatches(std::vector<Source> sources) {
  MemberComparison comparison;
  for (std::uint32_t rank = 0; rank < sources.size(); ++rank) comparison.read(rank, sources[rank]);
  return comparison.result();
}

}  // namespace earl::analyse
