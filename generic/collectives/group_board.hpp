// SPDX-License-Identifier: BSD-3-Clause
/// The short collectives of one group on its board: waits, mistakes, and what reports say of them.
#pragma once

#include <vector>

#include "generic/collectives/collective_board.hpp"
#include "generic/wait_state.hpp"

namespace earl {

class Engine;
class ExecClient;
struct ContextName;

/// A member's own call, for a report.
struct OwnCall {
  CollectiveCall call{};
  Tag tag{};
  std::uint64_t length = 0;
};
/// A line for the user of a process `me` that ends and has not received this part of a collective.
std::string unreceived_part_text(ContextName const& group, Rank me, Envelope const& theirs);
/// Throws Error: another member's part, or its call, does not fit the own one.
[[noreturn, gnu::cold, gnu::noinline]] void refuse_part(ExecClient& exec, ContextName const& group,
                                                        Rank me, OwnCall const& own,
                                                        Envelope const& theirs);

class GroupBoard {
 public:
  /// `key`: the same for all members, and for no other group. There may be no board for it, as all
  /// members know.
  GroupBoard(Engine& engine, Boards& boards, Group const& group, std::uint64_t key);

  bool is_of(Group const& group) const;
  bool there() const { return memory_ != nullptr; }
  /// No collective of the group follows.
  void leave() {
    if (memory_) boards_.leave_board(key_, ranks_.size());
    memory_ = nullptr;
  }

  /// A collective that takes place in messages begins.
  void begin_messages(CollectiveCall const& call, Tag tag, std::size_t length) {
    board_.begin(call.word(), static_cast<std::uint32_t>(number(tag)), length,
                 CollectiveBoard::Place::in_messages);
  }
  void barrier(CollectiveCall const& call, Tag tag) { reduce(call, tag, {}, nullptr, true); }
  /// `wants`: this member gets the result in `data`; else it does not wait for it.
  void reduce(CollectiveCall const& call, Tag tag, MutableBytes data, Combine const* combine,
              bool wants);
  void broadcast(CollectiveCall const& call, Tag tag, MutableBytes data);

 private:
  class Wait;

  void finish(BoardMember const& own, MutableBytes data, Combine const* combine);
  void wait_for_all(BoardMember const& own, MutableBytes data, Combine const* combine);
  void take_result(BoardMember const& own, MutableBytes data);
  void wait_for_readers(BoardCall const& own);
  void write(BoardCall const& own, MutableBytes data);
  void read(BoardCall const& own, std::size_t root, MutableBytes data);
  void wait(Wait& wait);
  void receive_messages();
  bool ended(std::size_t member) const;
  bool some_ended() const;
  void wake() { boards_.wake_members(ranks_); }
  [[noreturn, gnu::cold]] void refuse(BoardCall const& own, std::size_t member,
                                      BoardCall const& theirs);
  [[gnu::cold]] void refuse_root(BoardCall const& own);
  [[noreturn, gnu::cold]] void refuse(BoardCall const& own, std::size_t member,
                                      CollectiveBoard::Begun const& theirs);

  Engine& engine_;
  Boards& boards_;
  std::vector<Rank> ranks_;
  Context context_;
  std::uint64_t key_;
  std::byte* memory_;  ///< null: none
  CollectiveBoard board_;
};

}  // namespace earl
