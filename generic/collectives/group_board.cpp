// SPDX-License-Identifier: BSD-3-Clause
#include "generic/collectives/group_board.hpp"

#include <algorithm>
#include <utility>

#include "generic/engine.hpp"

namespace earl {

/// A member's wait at the board.
class GroupBoard::Wait final : public SharedWait {
 public:
  enum class For { entry, all, readers, root };

  Wait(GroupBoard const& group, BoardCall const& call, For what, std::size_t root = 0)
      : own(call), group_(group), for_(what), root_(root) {}

  BoardCall const own;

  Awaited awaited() const {
    switch (for_) {
      case For::entry:
        return group_.board_.entry();
      case For::all:
        return group_.board_.done();
      case For::root:
        return group_.board_.slot_written();
      case For::readers:
        break;
    }
    return group_.board_.slot_left_by(slowest());
  }
  /// A survivor ends what the last member has not.
  bool survived() const {
    return for_ == For::all && members() > 2 && all_arrived() && group_.some_ended();
  }
  bool lacks(std::size_t member) const {
    if (member == group_.board_.me()) return false;
    switch (for_) {
      case For::entry:
        return !(members() == 2 ? group_.board_.arrived(member)
                                : group_.board_.arrived_before(member));
      case For::all:
        return !group_.board_.arrived(member);
      case For::root:
        return member == root_ && !awaited().there();
      case For::readers:
        break;
    }
    return !group_.board_.slot_left_by(member).there() && !group_.ended(member);
  }
  std::size_t members() const { return group_.board_.members(); }

  // SharedWait
  bool over() const override {
    if (for_ != For::readers) return awaited().there() || survived();
    return slowest() == group_.board_.me();
  }
  Context context() const override { return group_.context_; }
  std::vector<Rank> missing() const override {
    std::vector<Rank> ranks;
    for (std::size_t member = 0; member < members(); ++member)
      if (lacks(member)) ranks.push_back(group_.ranks_[member]);
    return ranks;
  }

  /// A member that is in another collective, or has been, where its part of this one should be.
  std::size_t misplaced = 0;
  std::optional<CollectiveBoard::Begun> begun{};
  void look_for_misplaced() {
    for (std::size_t member = 0; !begun && member < members(); ++member)
      if (lacks(member)) {
        begun = group_.board_.misplaced(member, [&] { return lacks(member); });
        misplaced = member;
      }
  }

 private:
  /// Each member is looked at until it has arrived, the next one first: it is the one that mostly
  /// has not.
  bool all_arrived() const {
    for (; arrived_ < members(); ++arrived_)
      if (!group_.board_.arrived((group_.board_.me() + arrived_) % members())) return false;
    return true;
  }
  /// The first reader that lacks; oneself: none does.
  std::size_t slowest() const {
    for (std::size_t member = 0; member < members(); ++member)
      if (lacks(member)) return member;
    return group_.board_.me();
  }

  GroupBoard const& group_;
  For for_;
  std::size_t root_;
  mutable std::size_t arrived_ = 1;  ///< members from this one on, it included
};

GroupBoard::GroupBoard(Engine& engine, Boards& boards, Group const& group, std::uint64_t key)
    : engine_(engine),
      boards_(boards),
      ranks_(group.members.begin(), group.members.end()),
      context_(group.context),
      key_(key),
      memory_(boards.board(key, group.members)),
      board_(boards, memory_, group.size(), group.me) {}

bool GroupBoard::is_of(Group const& group) const {
  return group.me == board_.me() && std::ranges::equal(group.members, ranks_);
}

bool GroupBoard::ended(std::size_t member) const {
  return engine_.endpoint().port->ended(ranks_[member]);
}

bool GroupBoard::some_ended() const {
  for (std::size_t member = 0; member < ranks_.size(); ++member)
    if (member != board_.me() && ended(member)) return true;
  return false;
}

void GroupBoard::reduce(CollectiveCall const& call, Tag tag, MutableBytes data,
                        Combine const* combine, bool wants) {
  BoardMember const own{
      board_.me(), board_.begin(call.word(), static_cast<std::uint32_t>(number(tag)), data.size(),
                                CollectiveBoard::Place::here)};
  if (!board_.entry().there()) [[unlikely]] {
    Wait before{*this, own.call, Wait::For::entry};
    wait(before);
  }
  if (board_.enter(own.call, data)) {
    finish(own, data, combine);
  } else {
    if (board_.members() == 2) wake();
    if (!wants) return;
    wait_for_all(own, data, combine);
  }
  receive_messages();
}

/// A program expects that what others have sent before a collective is here after it, as it is when
/// the collective takes place in messages.
void GroupBoard::receive_messages() {
  constexpr int most_pumps = 4096;
  for (int pumps = 0; engine_.pump() != 0 && pumps < most_pumps; ++pumps) continue;
}

/// The last member's.
void GroupBoard::finish(BoardMember const& own, MutableBytes data, Combine const* combine) {
  if (auto const other = board_.first_mismatch(own.call)) {
    board_.fail(own, *other);
    wake();
    refuse(own.call, other->member, other->call);
  }
  try {
    if (combine) board_.combine_all(data, *combine);
  } catch (...) {
    board_.fail(own, own);
    wake();
    throw;
  }
  board_.finish(data);
  wake();
}

void GroupBoard::wait_for_all(BoardMember const& own, MutableBytes data, Combine const* combine) {
  if (!board_.done().there()) {
    Wait all{*this, own.call, Wait::For::all};
    wait(all);
  }
  bool const finished = board_.members() > 2 && board_.done().there();
  if (finished) return take_result(own, data);
  if (board_.members() == 2) board_.check_other();
  if (auto const other = board_.first_mismatch(own.call))
    refuse(own.call, other->member, other->call);
  if (combine) board_.combine_all(data, *combine);
}

void GroupBoard::take_result(BoardMember const& own, MutableBytes data) {
  auto const failure = board_.read_result(data);
  if (!failure) [[likely]]
    return;
  for (auto const& other : *failure)
    if (!own.call.fits(other.call)) refuse(own.call, other.member, other.call);
  throw Error("a collective of {} members has failed in process {}", board_.members(),
              number(ranks_[failure->front().member]));
}

void GroupBoard::broadcast(CollectiveCall const& call, Tag tag, MutableBytes data) {
  auto const own = board_.begin(call.word(), static_cast<std::uint32_t>(number(tag)), data.size(),
                                CollectiveBoard::Place::here);
  board_.next_broadcast();
  if (call.root == board_.me()) return write(own, data);
  read(own, call.root, data);
}

void GroupBoard::write(BoardCall const& own, MutableBytes data) {
  if (!board_.known_free()) wait_for_readers(own);
  if (!board_.claim_slot()) refuse_root(own);
  board_.write_slot(own, data);
  wake();
}

void GroupBoard::wait_for_readers(BoardCall const& own) {
  auto const look = [this] {
    board_.look_for_free_slots([this](std::size_t member) { return !ended(member); });
  };
  look();
  if (board_.known_free()) return;
  board_.await_readers(true);
  struct Restore {
    CollectiveBoard& board;
    ~Restore() { board.await_readers(false); }
  } const restore{board_};
  Wait readers{*this, own, Wait::For::readers};
  wait(readers);
  look();
}

void GroupBoard::read(BoardCall const& own, std::size_t root, MutableBytes data) {
  if (!board_.slot_written().there()) {
    Wait writer{*this, own, Wait::For::root, root};
    wait(writer);
  }
  auto const theirs = board_.read_slot(data);
  board_.leave_slot();
  boards_.fence();
  if (auto const waiting = board_.waiting_root())
    boards_.wake_members(std::span{ranks_}.subspan(*waiting, 1));
  if (!own.fits(theirs)) refuse(own, root, theirs);
  receive_messages();
}

/// First only a look at the awaited word; before a second sleep one at members that are elsewhere.
void GroupBoard::wait(Wait& wait) {
  struct Restore {
    Boards& boards;
    Awaited const before;
    ~Restore() { boards.await_word(before); }
  } const restore{boards_, boards_.await_word(wait.awaited())};
  constexpr int looks_at_the_word = 2;
  int looks = 0;
  auto const ready = [&] {
    if (wait.over()) return true;
    if (++looks <= looks_at_the_word) return false;
    wait.look_for_misplaced();
    boards_.await_word(wait.awaited());
    return wait.begun.has_value();
  };
  engine_.wait_running_handlers(ready, {.shared = &wait});
  if (wait.begun) refuse(wait.own, wait.misplaced, *wait.begun);
}

void GroupBoard::refuse(BoardCall const& own, std::size_t member, BoardCall const& theirs) {
  CollectiveBoard::Begun const begun{theirs.word, theirs.number, theirs.length};
  refuse(own, member, begun);
}

void GroupBoard::refuse(BoardCall const& own, std::size_t member,
                        CollectiveBoard::Begun const& theirs) {
  refuse_part(engine_.exec(), engine_.contexts().name(context_), engine_.rank(),
              {.call = CollectiveCall::from(own.word),
               .tag = Tag{static_cast<std::int32_t>(own.number)},
               .length = own.length},
              {.source = ranks_[member],
               .tag = Tag{static_cast<std::int32_t>(theirs.number)},
               .length = theirs.length,
               .word = theirs.word});
}

/// Another member has claimed the slot: it thinks that it is the root.
void GroupBoard::refuse_root(BoardCall const& own) {
  if (auto const competing_root = board_.competing_root())
    if (auto const root = CollectiveCall::from(competing_root->word).root; root < ranks_.size())
      refuse(own, root, *competing_root);
  for (std::size_t member = 0; member < ranks_.size(); ++member) {
    if (member == board_.me()) continue;
    if (auto const begun = board_.misplaced(member, [] { return true; }))
      refuse(own, member, *begun);
  }
  boards_.board_damaged();
}

}  // namespace earl
