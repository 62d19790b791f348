// SPDX-License-Identifier: BSD-3-Clause
/// The races that depend on no other: flipping one of the others can only come of these.
#include "debug/analyse/candidates.hpp"

namespace earl::analyse {

namespace {

/// By rank and number of completions: whether a race is among the known events then.
using Tainted = std::vector<std::vector<bool>>;

Tainted taint(History const& history) {
  Tainted tainted(history.ranks.size(), {false});
  std::uint32_t cause = 0;
  for (auto const& join : history.joins) {
    auto& own = tainted[join.rank];
    bool now = own.back() ||
               (join.receive != none && history.ranks[join.rank].receives[join.receive].races);
    for (; cause < join.causes; ++cause) {
      auto const& from = history.causes[cause];
      now = now || tainted[from.rank][from.completions];
    }
    own.push_back(now);
  }
  return tainted;
}

}  // namespace

std::vector<std::vector<bool>> frontier(History& history) {
  auto const tainted = taint(history);
  auto const hangs = [&](std::uint32_t message) {
    auto const& sent = history.messages[message];
    return tainted[sent.source][sent.own];
  };
  std::vector<std::vector<bool>> frontier(history.ranks.size());
  for (std::uint32_t rank = 0; rank < history.ranks.size(); ++rank) {
    Candidates candidates(history, rank);
    auto const& receives = history.ranks[rank].receives;
    for (std::uint32_t i = 0; i < receives.size(); ++i) {
      auto const& receive = receives[i];
      bool first = receive.races && !tainted[rank][receive.known_at_post] &&
                   (receive.message == none || !hangs(receive.message));
      if (receive.source != number(no_rank))
        candidates.of(i, [&](std::uint32_t message) { first = first && !hangs(message); });
      frontier[rank].push_back(first);
    }
  }
  return frontier;
}

}  // namespace earl::analyse
