// SPDX-License-Identifier: BSD-3-Clause
/// The state of a process that belongs to a context: how many collectives have begun there, the
/// boards of its groups, and the context's name in reports.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "generic/collectives/group_board.hpp"
#include "generic/message/selector.hpp"

namespace earl {

struct Endpoint;

/// A context as reports name it.
struct ContextName {
  std::string label{};          ///< empty: it has none
  std::vector<Rank> members{};  ///< by their numbers there; empty: these are the Ranks

  /// `no_number`: it is no member, or the number is the Rank's own.
  std::int32_t number_of(Rank rank) const;
};

/// Equal in all members of a group; different groups collide with negligible probability. Never 0.
std::uint64_t key_of(Group const& group);

class Contexts {
 public:
  /// `engine`: of the process; null: groups have no boards.
  explicit Contexts(Engine* engine = nullptr) : engine_(engine), has_boards_(engine) {}

  /// A tag for the next collective of a context: the same on all members.
  Tag collective_tag(Context context) {
    constexpr std::uint32_t tags = 0x3fff'ffff;
    return Tag{static_cast<std::int32_t>(of(context).begun++ & tags)};
  }
  /// The group's board; null: its members exchange messages, as all of them know. No debugger may
  /// be there.
  GroupBoard* board_of(Group const& group) {
    if (!has_boards_ || group.size() < 2 || group.size() > Boards::most_members) return nullptr;
    for (auto const& board : of(group.context).boards)
      if (board->is_of(group)) [[likely]]
        return board->there() ? board.get() : nullptr;
    return make_board(group);
  }

  /// The process's own.
  Endpoint const& endpoint() const;

  /// All members of the context's groups do so, and there is no collective in it from now on.
  void remove(Context context);

  /// Contexts are named as the front end does, such as MPI's communicators: `find` is asked when a
  /// report wants it.
  void find_names_by(std::function<ContextName(Context)> find) { find_name_ = std::move(find); }
  ContextName name(Context context) const {
    return find_name_ ? find_name_(context) : ContextName{};
  }
  /// Likewise what a wait for a message of the front end's own is for, such as MPI_Win_post of a
  /// rank; empty: the message is the program's.
  void explain_waits_by(std::function<std::string(Selector const&)> find) {
    find_cause_ = std::move(find);
  }
  std::string cause(Selector const& awaited) const {
    return find_cause_ ? find_cause_(awaited) : std::string{};
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
  bool has_boards_;
  std::unordered_map<std::uint64_t, Collectives> collectives_;
  Context recent_context_{};
  Collectives* recent_ = nullptr;  ///< of `recent_context_`; null: none yet
  std::function<ContextName(Context)> find_name_{};
  std::function<std::string(Selector const&)> find_cause_{};
};

}  // namespace earl
