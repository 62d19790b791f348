// SPDX-License-Identifier: BSD-3-Clause
/// The state of a process that belongs to a context: how many collectives have begun there, the
/// boards of its groups, and the context's name in reports.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "generic/collectives/group_board.hpp"

namespace earl {

class Contexts {
 public:
  /// `engine`: of the process; null: groups have no boards.
  explicit Contexts(Engine* engine = nullptr) : engine_(engine) {}

  /// A tag for the next collective of a context: the same on all members.
  Tag collective_tag(Context context) {
    constexpr std::uint32_t tags = 0x3fff'ffff;
    return Tag{static_cast<std::int32_t>(of(context).begun++ & tags)};
  }
  /// The group's board; null: its members exchange messages, as all of them know. No debugger may
  /// be there.
  GroupBoard* board_of(Group const& group) {
    if (!engine_ || group.size() < 2 || group.size() > Boards::most_members) return nullptr;
    for (auto const& board : of(group.context).boards)
      if (board->is_of(group)) [[likely]]
        return board->there() ? board.get() : nullptr;
    return make_board(group);
  }

  /// All members of the context's groups do so, and there is no collective in it from now on.
  void remove(Context context);

  /// Names a context as the front end does: an MPI communicator's, for instance. Replaces the name
  /// that was there; an empty one removes it. Two contexts may have the same.
  void set_label(Context context, std::string_view label) {
    auto const key = static_cast<std::uint64_t>(context);
    if (label.empty())
      labels_.erase(key);
    else
      labels_.insert_or_assign(key, label);
  }
  /// For contexts without a label: `find` gives one when a report wants it, or an empty one.
  void find_labels_by(std::function<std::string(Context)> find) { find_label_ = std::move(find); }
  /// Empty: it has none.
  std::string label(std::uint64_t context) const {
    auto const found = labels_.find(context);
    if (found != labels_.end()) return found->second;
    return find_label_ ? find_label_(Context{context}) : std::string{};
  }

 private:
  struct Collectives {
    std::uint32_t begun = 0;
    std::vector<std::unique_ptr<GroupBoard>> boards{};  ///< of groups that have used the context
  };

  Collectives& of(Context context) {
    if (recent_ && recent_context_ == context) [[likely]]
      return *recent_;
    recent_context_ = context;
    return *(recent_ = &collectives_[static_cast<std::uint64_t>(context)]);
  }
  [[gnu::cold, gnu::noinline]] GroupBoard* make_board(Group const& group);

  Engine* engine_;
  std::unordered_map<std::uint64_t, Collectives> collectives_;
  Context recent_context_{};
  Collectives* recent_ = nullptr;  ///< of `recent_context_`; null: none yet
  std::map<std::uint64_t, std::string> labels_;
  std::function<std::string(Context)> find_label_{};
};

}  // namespace earl
