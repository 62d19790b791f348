// SPDX-License-Identifier: BSD-3-Clause
#include "generic/contexts.hpp"

#include <algorithm>

#include "generic/engine.hpp"

namespace earl {

namespace {

constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e37'79b9'7f4a'7c15;
  return hash ^ hash >> 32;
}

}  // namespace

std::uint64_t key_of(Group const& group) {
  auto key = mixed(group.size(), static_cast<std::uint64_t>(group.context));
  for (Rank const rank : group.members) key = mixed(key, index(rank));
  return key | 1;
}

std::int32_t ContextName::number_of(Rank rank) const {
  auto const found = std::ranges::find(members, rank);
  if (found == members.end()) return no_number;
  auto const place = static_cast<std::int32_t>(found - members.begin());
  return place == number(rank) ? no_number : place;
}

GroupBoard* Contexts::make_board(Group const& group) {
  Boards* const boards = boards_of(engine_->endpoint().port.get());
  if (!boards) {
    has_boards_ = false;
    return nullptr;
  }
  auto const& made = of(group.context)
                         .boards.emplace_back(
                             std::make_unique<GroupBoard>(*engine_, *boards, group, key_of(group)));
  return made->there() ? made.get() : nullptr;
}

Endpoint const& Contexts::endpoint() const { return engine_->endpoint(); }

void Contexts::remove(Context context) {
  auto const found = collectives_.find(static_cast<std::uint64_t>(context));
  if (found == collectives_.end()) return;
  for (auto const& board : found->second.boards) board->leave();
  collectives_.erase(found);
  recent_ = nullptr;
}

}  // namespace earl
