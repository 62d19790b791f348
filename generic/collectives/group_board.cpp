// SPDX-License-Identifier: BSD-3-Clause
#include "generic/collectives/group_board.hpp"

#include <algorithm>
#include <utility>

#include "generic/collectives/group_memory.hpp"
#include "generic/engine.hpp"

namespace earl {

/// A member's wait at the board.
class GroupBoard::Wait final : public SharedWait {
 public:
  enum class For { entry, all, readers, root };

  Wait(GroupBoard const& group, BoardMember const& member, For what)
      : own(member), group_(group), for_(what) {}

  BoardMember const own;
  std::size_t root = 0;     ///< For::root
  std::uint32_t ahead = 0;  ///< For::readers: broadcasts that may be under way

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
    return group_.board_.slot_left_by(slowest(), ahead);
  }
  /// A survivor ends what the last member has not.
  bool survived() const {
    return for_ == For::all && members() > 2 && all_arrived() && group_.some_ended();
  }
  bool lacks(std::size_t member) const {
    if (member == group_.board_.me()) return false;
    switch (for_) {
      case For::entry:
        return !group_.board_.arrived_before(member);
      case For::all:
        return !group_.board_.arrived(member);
      case For::root:
        return member == root && !awaited().there();
      case For::readers:
        break;
    }
    return !group_.board_.slot_left_by(member, ahead).there() && !group_.ended(member);
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
  auto const own = begin(call, tag, data.size());
  arrive(own, data, combine, wants);
  if (wants) receive_messages();
}

/// When a member may write its cell.
void GroupBoard::await_entry(BoardMember const& own) {
  if (board_.entry().there()) [[likely]]
    return;
  Wait before{*this, own, Wait::For::entry};
  wait(before);
}

void GroupBoard::arrive(BoardMember const& own, MutableBytes data, Combine const* combine,
                        bool wants) {
  await_entry(own);
  if (board_.enter(own, data)) return finish(own, data, combine);
  if (board_.members() == 2) wake();
  if (wants) wait_for_all(own, data, combine);
}

void GroupBoard::step(BoardMember const& own, Bytes mine) {
  await_entry(own);
  if (board_.enter(own, mine, true)) return finish(own, {}, nullptr);
  if (board_.members() == 2) wake();
  wait_for_all(own, {}, nullptr);
}

/// A program expects that what others have sent before a collective is here after it, as it is when
/// the collective takes place in messages.
void GroupBoard::receive_messages() {
  constexpr int most_pumps = 4096;
  for (int pumps = 0; engine_.pump() != 0 && pumps < most_pumps; ++pumps) continue;
}

/// The last member's.
void GroupBoard::finish(BoardMember const& own, MutableBytes data, Combine const* combine) {
  if (auto const other = board_.first_mismatch(own)) {
    board_.fail(own, *other);
    wake();
    refuse(own, *other);
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
    Wait all{*this, own, Wait::For::all};
    wait(all);
  }
  bool const finished = board_.members() > 2 && board_.done().there();
  if (finished) return take_result(own, data);
  if (board_.members() == 2) board_.check_other();
  if (auto const other = board_.first_mismatch(own)) refuse(own, *other);
  if (combine) board_.combine_all(data, *combine);
}

void GroupBoard::take_result(BoardMember const& own, MutableBytes data) {
  auto const failure = board_.read_result(data);
  if (!failure) [[likely]]
    return;
  for (auto const& other : *failure)
    if (!own.fits(other)) refuse(own, other);
  throw Error("a collective of {} members has failed in process {}", board_.members(),
              number(ranks_[failure->front().member]));
}

Staging* GroupBoard::staging(BoardMember const& own) {
  if (!asked_for_staging_) [[unlikely]]
    share_staging(own);
  return staging_.get();
}

void GroupBoard::share_staging(BoardMember const& own) {
  constexpr std::uint64_t not_of_windows = 0x5eed'57a6'1196'0000;
  GroupMemory memory(engine_.endpoint(), ranks_.front(), key_ ^ not_of_windows,
                     Staging::bytes(members()));
  if (me() == 0) memory.make();
  step(own);
  if (me() != 0) memory.find();
  if (agree(own, memory.there())) staging_ = std::make_unique<Staging>(memory.take(), members());
  asked_for_staging_ = true;
}

bool GroupBoard::agree(BoardMember const& own, bool yes) {
  std::byte const mine{yes};
  step(own, {&mine, 1});
  for (std::size_t member = 0; member < members(); ++member)
    if (given(member).front() != std::byte{1}) return false;
  return true;
}

void GroupBoard::broadcast(CollectiveCall const& call, Tag tag, MutableBytes data) {
  auto const own = begin(call, tag, data.size());
  board_.next_broadcast();
  if (call.root == me()) {
    claim(own, CollectiveBoard::slots);
    board_.write_slot(own, data);
    return wake();
  }
  wait_for_root(own, call.root);
  auto const theirs = board_.read_slot(call.root, data);
  leave_slot();
  if (!own.fits(theirs)) refuse(own, theirs);
  receive_messages();
}

void GroupBoard::broadcast_part(BoardMember const& own, std::size_t root, Staging const& staging,
                                MutableBytes part) {
  board_.next_broadcast();
  auto const slot = staging.slot(board_.broadcasts());
  if (root == me()) {
    claim(own, Staging::slots);
    copy(part, slot);
    board_.write_slot(own, {});
    return wake();
  }
  wait_for_root(own, root);
  auto const theirs = board_.read_slot(root, {});
  if (own.fits(theirs)) copy(slot.first(part.size()), part);
  leave_slot();
  if (!own.fits(theirs)) refuse(own, theirs);
}

/// The root's: the slot is its own then. `ahead`: broadcasts that may be under way.
void GroupBoard::claim(BoardMember const& own, std::uint32_t ahead) {
  if (!board_.known_free(ahead)) wait_for_readers(own, ahead);
  if (!board_.claim_slot()) refuse_root(own);
}

void GroupBoard::wait_for_readers(BoardMember const& own, std::uint32_t ahead) {
  auto const look = [this] {
    board_.look_for_free_slots([this](std::size_t member) { return !ended(member); });
  };
  look();
  if (board_.known_free(ahead)) return;
  board_.await_readers(true);
  struct Restore {
    CollectiveBoard& board;
    ~Restore() { board.await_readers(false); }
  } const restore{board_};
  Wait readers{*this, own, Wait::For::readers};
  readers.ahead = ahead;
  wait(readers);
  look();
}

void GroupBoard::wait_for_root(BoardMember const& own, std::size_t root) {
  if (board_.slot_written().there()) return;
  Wait writer{*this, own, Wait::For::root};
  writer.root = root;
  wait(writer);
}

void GroupBoard::leave_slot() {
  board_.leave_slot();
  boards_.fence();
  if (auto const waiting = board_.waiting_root())
    boards_.wake_members(std::span{ranks_}.subspan(*waiting, 1));
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

void GroupBoard::refuse_length(BoardMember own, std::size_t member, std::size_t expected,
                               std::size_t length) {
  own.length = expected;
  refuse(own, member, {own.call.word, own.call.number, length});
}

void GroupBoard::refuse(BoardMember const& own, BoardMember const& theirs) {
  refuse(own, theirs.member, {theirs.call.word, theirs.call.number, theirs.length});
}

void GroupBoard::refuse(BoardMember const& own, std::size_t member,
                        CollectiveBoard::Begun const& theirs) {
  refuse_part(engine_.exec(), engine_.contexts().name(context_), engine_.rank(),
              {.call = CollectiveCall::from(own.call.word),
               .tag = Tag{static_cast<std::int32_t>(own.call.number)},
               .length = own.length},
              {.source = ranks_[member],
               .tag = Tag{static_cast<std::int32_t>(theirs.number)},
               .length = theirs.length,
               .word = theirs.word});
}

/// Another member has claimed the slot: it thinks that it is the root.
void GroupBoard::refuse_root(BoardMember const& own) {
  if (auto const root = board_.competing_root()) refuse(own, *root);
  for (std::size_t member = 0; member < ranks_.size(); ++member) {
    if (member == board_.me()) continue;
    if (auto const begun = board_.misplaced(member, [] { return true; }))
      refuse(own, member, *begun);
  }
  boards_.board_damaged();
}

}  // namespace earl
