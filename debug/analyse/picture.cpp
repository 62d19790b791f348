// SPDX-License-Identifier: BSD-3-Clause
#include "debug/analyse/picture.hpp"

#include <algorithm>
#include <utility>

namespace earl::analyse {

namespace {

/// Visits the completions of all ranks in causal order and gives each a column behind those of its
/// causes.
class Painter {
 public:
  explicit Painter(History const& history);

  Picture paint();

 private:
  struct Lane {
    std::vector<std::uint32_t> sends{};      ///< messages, in the order they were sent
    std::size_t next = 0;                    ///< of sends: the first without a column
    std::uint32_t column = 0;                ///< the first that is free
    std::vector<std::uint32_t> completed{};  ///< columns of the completions
  };

  std::uint32_t place(Lane& lane, std::uint32_t earliest);
  /// Column at which its rank sent it: by the rank's completions, then by its calls.
  std::pair<std::uint32_t, std::uint64_t> order_of(std::uint32_t message) const {
    auto const& sent = history_.messages[message];
    return {sent.own, sent.at.call};
  }
  template <class Due>
  void place_sends(Lane& lane, Due due);
  void place_sends_before(std::uint32_t rank, std::uint32_t completions);
  std::uint32_t after_causes(Join const& join);
  void place_join(Join const& join);

  History const& history_;
  Picture picture_;
  std::vector<Lane> lanes_;
  std::size_t cause_ = 0;  ///< of History::causes: the next join's first
};

Painter::Painter(History const& history) : history_(history), lanes_(history.ranks.size()) {
  picture_.arrows.resize(history.messages.size());
  for (std::uint32_t i = 0; i < history.messages.size(); ++i)
    lanes_[history.messages[i].source].sends.push_back(i);
  for (auto& lane : lanes_)
    std::ranges::stable_sort(lane.sends, {},
                             [this](std::uint32_t message) { return order_of(message); });
}

std::uint32_t Painter::place(Lane& lane, std::uint32_t earliest) {
  auto const column = std::max(lane.column, earliest);
  lane.column = column + 1;
  picture_.columns = std::max(picture_.columns, lane.column);
  return column;
}

/// Lasts while the next one is due.
template <class Due>
void Painter::place_sends(Lane& lane, Due due) {
  for (; lane.next < lane.sends.size() && due(lane.sends[lane.next]); ++lane.next)
    picture_.arrows[lane.sends[lane.next]].sent = place(lane, 0);
}

void Painter::place_sends_before(std::uint32_t rank, std::uint32_t completions) {
  place_sends(lanes_[rank],
              [&](std::uint32_t message) { return history_.messages[message].own <= completions; });
}

std::uint32_t Painter::after_causes(Join const& join) {
  std::uint32_t column = 0;
  for (; cause_ < join.causes; ++cause_) {
    auto const& cause = history_.causes[cause_];
    auto const& completed = lanes_[cause.rank].completed;
    if (cause.completions != 0 && cause.completions <= completed.size())
      column = std::max(column, completed[cause.completions - 1] + 1);
  }
  return column;
}

void Painter::place_join(Join const& join) {
  auto& lane = lanes_[join.rank];
  place_sends_before(join.rank, static_cast<std::uint32_t>(lane.completed.size()));
  // An answer that brought nothing has no place of its own.
  if (join.question != none && history_.ranks[join.rank].questions[join.question].source < 0)
    return lane.completed.push_back(lane.completed.empty() ? 0 : lane.completed.back());
  auto earliest = after_causes(join);
  auto const message =
      join.receive == none ? none : history_.ranks[join.rank].receives[join.receive].message;
  if (message != none) {
    place_sends(lanes_[history_.messages[message].source],
                [&](std::uint32_t other) { return order_of(other) <= order_of(message); });
    earliest = std::max(earliest, picture_.arrows[message].sent + 1);
  }
  auto const column = place(lane, earliest);
  lane.completed.push_back(column);
  if (message != none) {
    picture_.arrows[message].received = column;
    picture_.arrows[message].receive = join.receive;
  } else if (join.receive == none) {
    picture_.marks.push_back({.rank = join.rank, .column = column});
  }
}

Picture Painter::paint() {
  for (auto const& join : history_.joins) place_join(join);
  for (std::uint32_t rank = 0; rank < lanes_.size(); ++rank) place_sends_before(rank, none);
  return std::move(picture_);
}

}  // namespace

Picture make_picture(History const& history) { return Painter(history).paint(); }

}  // namespace earl::analyse
