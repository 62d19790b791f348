// SPDX-License-Identifier: BSD-3-Clause
/// The short collectives of one group on its board: waits, mistakes, and what reports say of them.
#pragma once

#include <memory>
#include <vector>

#include "generic/collectives/collective_board.hpp"
#include "generic/collectives/staging.hpp"
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
    staging_.reset();
  }

  /// A collective that takes place in messages begins.
  void begin_messages(CollectiveCall const& call, Tag tag, std::size_t length) {
    begin(call, tag, length, CollectiveBoard::Place::in_messages);
  }
  void barrier(CollectiveCall const& call, Tag tag) { reduce(call, tag, {}, nullptr, true); }
  /// `wants`: this member gets the result in `data`; else it does not wait for it.
  void reduce(CollectiveCall const& call, Tag tag, MutableBytes data, Combine const* combine,
              bool wants);
  void broadcast(CollectiveCall const& call, Tag tag, MutableBytes data);

  // --- collectives in several steps, which all members make alike
  BoardMember begin(CollectiveCall const& call, Tag tag, std::size_t length) {
    return begin(call, tag, length, CollectiveBoard::Place::here);
  }
  /// One step: ends when all members have begun it. `mine` is short; of long data,
  /// CollectiveBoard::most_beside_length bytes are here.
  void step(BoardMember const& own, Bytes mine = {});
  /// After a step, until the next: what the member has given.
  Bytes given(std::size_t member) const { return board_.given(member); }
  /// Throws Error: the member's part has another length than this one expects.
  [[noreturn, gnu::cold, gnu::noinline]] void refuse_length(BoardMember own, std::size_t member,
                                                            std::size_t expected,
                                                            std::size_t length);
  /// Memory for long data. Null: the members have none, as all of them know. The first time it
  /// takes steps.
  Staging* staging(BoardMember const& own);
  /// A broadcast of a part of long data, through `staging`.
  void broadcast_part(BoardMember const& own, std::size_t root, Staging const& staging,
                      MutableBytes part);
  /// The last one of a collective in steps: messages that others have sent before it arrive.
  void receive_messages();
  std::size_t members() const { return board_.members(); }
  std::size_t me() const { return board_.me(); }

 private:
  class Wait;

  BoardMember begin(CollectiveCall const& call, Tag tag, std::size_t length,
                    CollectiveBoard::Place place) {
    return board_.begin(call.word(), static_cast<std::uint32_t>(number(tag)), length, place);
  }
  void arrive(BoardMember const& own, MutableBytes data, Combine const* combine, bool wants);
  void await_entry(BoardMember const& own);
  void finish(BoardMember const& own, MutableBytes data, Combine const* combine);
  void wait_for_all(BoardMember const& own, MutableBytes data, Combine const* combine);
  void take_result(BoardMember const& own, MutableBytes data);
  void claim(BoardMember const& own, std::uint32_t ahead);
  void wait_for_readers(BoardMember const& own, std::uint32_t ahead);
  void wait_for_root(BoardMember const& own, std::size_t root);
  void leave_slot();
  void share_staging(BoardMember const& own);
  /// A step, and whether all members say yes.
  bool agree(BoardMember const& own, bool yes);
  void wait(Wait& wait);
  bool ended(std::size_t member) const;
  bool some_ended() const;
  void wake() { boards_.wake_members(ranks_); }
  [[noreturn, gnu::cold]] void refuse(BoardMember const& own, BoardMember const& theirs);
  [[gnu::cold]] void refuse_root(BoardMember const& own);
  [[noreturn, gnu::cold]] void refuse(BoardMember const& own, std::size_t member,
                                      CollectiveBoard::Begun const& theirs);

  Engine& engine_;
  Boards& boards_;
  std::vector<Rank> ranks_;
  Context context_;
  std::uint64_t key_;
  std::byte* memory_;  ///< null: none
  CollectiveBoard board_;
  bool asked_for_staging_ = false;
  std::unique_ptr<Staging> staging_{};
};

}  // namespace earl
