// SPDX-License-Identifier: BSD-3-Clause
/// Short collectives in memory that all members of a group share: a line per member, a counter of
/// arrivals, and one word that the last member raises. No member sends a message.
///
/// Reductions and barriers use two banks in turn, broadcasts 32 slots. An operation's number
/// counts those of its kind; a word that has reached it says that the step is done:
///  - a member writes its cell of the bank, raises the cell's epoch (release) and adds itself to
///    the bank's arrivals (acquire and release). The addition of the last member follows all
///    others' in the order of that one word, so it sees all cells. It combines them in the order of
///    members, clears the arrivals, writes the result, raises `released` (release) and wakes the
///    sleepers.
///  - a member enters operation k only when `released` has reached k - 2: no process reads its cell
///    of that bank any more. A result stays as long, as the next one in its bank needs all members'
///    arrival at k + 2, and a member arrives there after it has read this one.
///  - in an exchange all members read all cells, after the release. Operation k behind an exchange
///    k - 2 is entered when `released` has reached k - 1: then all have arrived at k - 1, after
///    their last look at the cells of k - 2.
///  - two members need neither arrivals nor a result: each reads the other's cell and combines.
///  - a root writes slot b when all living members have read b - 8, and raises its epoch; a reader
///    copies and raises its own line's `reads`.
/// If a member is killed after its arrival as the last one, all cells of the bank have their epoch:
/// each survivor then combines them by itself, in the same order.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "generic/collectives/collectives.hpp"
#include "generic/seams/boards.hpp"

namespace earl {

/// One member's call of a collective, as other members see it.
struct BoardCall {
  std::uint32_t word = 0;     ///< CollectiveCall::word()
  std::uint32_t number = 0;   ///< of the group's collectives, as in the tag of a message
  std::uint16_t history = 0;  ///< a hash of all the calls before
  std::uint16_t length = 0;   ///< bytes; `long_length`: they are counted in the data of the cell

  static constexpr std::uint16_t long_length = 0xffff;

  bool fits(BoardCall const& other) const {
    return number == other.number && history == other.history && length == other.length &&
           (word == other.word ||
            CollectiveCall::from(word).fits(CollectiveCall::from(other.word)));
  }
};

struct BoardMember {
  std::size_t member = 0;
  BoardCall call{};
  std::uint64_t length = 0;  ///< bytes

  bool fits(BoardMember const& other) const {
    return call.fits(other.call) && length == other.length;
  }
  /// The same for all calls that are equal, and hardly ever for others.
  std::uint32_t hash() const;
};

/// One member's view of a group's board.
class CollectiveBoard {
 public:
  static constexpr std::size_t most_bytes = 48;

  /// `memory`: of boards.board(); null: no other function may be called. Throws MemoryDamage where
  /// a word is none that a member writes.
  CollectiveBoard(Boards& boards, std::byte* memory, std::size_t members, std::size_t me);

  // --- reductions and barriers: enter() when entry() is there, then what done() waits for
  /// Until then a member may still read what this one gave two operations ago.
  Awaited entry() const;
  /// True: all others have arrived, and the caller must finish() and wake them. Of two members none
  /// does. Of long data only `most_beside_length` bytes are here.
  /// `exchange`: all members wait for the end of this operation and read given() of all.
  bool enter(BoardMember const& own, Bytes mine, bool exchange = false);
  /// The word that says that the operation is over, or that the other one of two has arrived.
  Awaited done() const;
  /// Whether the member's cell of this operation is there; of the one that entry() waits for.
  bool arrived(std::size_t member) const { return arrived_at(entered_, member); }
  bool arrived_before(std::size_t member) const { return arrived_at(needed_for_entry(), member); }
  /// A member whose call does not fit `own`; null: all do. When all have arrived, and none can have
  /// entered the next operation of this bank.
  std::optional<BoardMember> first_mismatch(BoardMember const& own) const;
  /// Combines all members' data in `into`, bracketed as in messages. Likewise.
  void combine_all(MutableBytes into, Combine const& combine) const;
  /// The last one's: publishes the result.
  void finish(Bytes result);
  /// Likewise: there is none, as these two have not made the same call; or as the operation has
  /// failed, then both are the caller.
  void fail(BoardMember const& one, BoardMember const& other);
  /// Once done, of more than two: copies the result, or gives the two of fail().
  std::optional<std::array<BoardMember, 2>> read_result(MutableBytes into) const;
  /// The same of two, once done: whether the cell is that of this operation.
  void check_other() const;
  /// Once an exchange is done: the data that the member has given to enter().
  Bytes given(std::size_t member) const;

  // --- broadcasts
  /// The number of the one that begins now is the same on all members.
  void next_broadcast() { ++broadcasts_; }
  /// For the root: the slot is free of the member when this is there. `ahead`: so many broadcasts
  /// may be under way, `slots` or fewer.
  Awaited slot_left_by(std::size_t member, std::uint32_t ahead) const {
    return {&memory_->lines[member].reads, broadcasts_ - ahead};
  }
  /// All members have been through with this one, and all before it.
  bool known_free(std::uint32_t ahead) const {
    return static_cast<std::int32_t>(read_until_ + ahead - broadcasts_) >= 0;
  }
  /// Whether that is known of the next ones, too: looks at all for which `counts(member)`.
  template <class Counts>
  void look_for_free_slots(Counts counts) {
    std::uint32_t least = broadcasts_;
    for (std::size_t member = 0; member < members_; ++member) {
      if (member == me_) continue;
      auto const reads = memory_->lines[member].reads.load(std::memory_order_acquire);
      if (static_cast<std::int32_t>(reads - broadcasts_) >= 0) boards_.board_damaged();
      if (static_cast<std::int32_t>(reads - least) < 0 && counts(member)) least = reads;
    }
    read_until_ = least;
  }
  /// False: another member thinks that it is the root.
  bool claim_slot();
  /// After that: the call with which the other root has written the slot, if it has.
  std::optional<BoardMember> competing_root() const;
  void write_slot(BoardMember const& own, Bytes data);
  Awaited slot_written() const;
  /// The call of `root`, once the slot is written; copies its short data when the lengths are the
  /// same.
  BoardMember read_slot(std::size_t root, MutableBytes data) const;
  /// The number of the broadcast under way.
  std::uint32_t broadcasts() const { return broadcasts_; }
  /// The slot is not needed any more.
  void leave_slot() { memory_->lines[me_].reads.store(broadcasts_, std::memory_order_release); }
  /// A root that waits for readers; null: none does.
  std::optional<std::size_t> waiting_root() const;
  void await_readers(bool waits) {
    memory_->root.value.store(waits ? static_cast<std::uint32_t>(me_ + 1) : 0,
                              std::memory_order_relaxed);
  }

  // --- which collective a member is in
  enum class Place { here, in_messages };
  /// Any collective of the group begins.
  BoardMember begin(std::uint32_t word, std::uint32_t number, std::size_t length, Place place);
  struct Begun {
    std::uint32_t word = 0;
    std::uint32_t number = 0;
    std::uint64_t length = 0;
  };
  /// The member has begun a collective that cannot be the own one of number `number`, nor that
  /// which this member made at its number. Only for a member whose part is missing: `missing()` is
  /// asked after the member's line has been read.
  template <class Missing>
  std::optional<Begun> misplaced(std::size_t member, Missing missing) const {
    auto const begun = begun_elsewhere(member);
    return begun && missing() ? begun : std::nullopt;
  }

  std::size_t members() const { return members_; }
  std::size_t me() const { return me_; }

  static constexpr std::size_t most_beside_length = most_bytes - sizeof(std::uint64_t);
  static constexpr std::uint32_t slots = 32;

 private:
  struct alignas(64) Cell {
    std::atomic<std::uint32_t> epoch = 0;
    BoardCall call{};
    std::byte data[most_bytes] = {};
  };
  struct alignas(64) Word {
    std::atomic<std::uint32_t> value = 0;
  };
  struct alignas(64) Arrivals {
    std::atomic<std::uint64_t> sum = 0;  ///< members; in the upper half, of their calls' hashes
  };
  struct alignas(64) Line {
    std::atomic<std::uint64_t> begun = 0;   ///< flags, number, word
    std::atomic<std::uint64_t> length = 0;  ///< of that call
    std::atomic<std::uint32_t> reads = 0;   ///< broadcasts that the member is through with
  };
  struct Memory {
    std::byte of_port[64];
    Word released;
    Word root;
    Arrivals arrivals[2];
    Cell results[2];
    Cell slot[slots];
    std::atomic<std::uint32_t> claims[slots];
    Line lines[Boards::most_members];
    Cell cells[2][Boards::most_members];
  };
  static_assert(sizeof(Cell) == 64 && sizeof(Memory) <= Boards::size);

  enum class Outcome : std::uint32_t { result = 1, failure };
  void publish(Bytes data, Outcome outcome);
  static bool reached(Cell const& cell, std::uint32_t epoch) {
    return Awaited{&cell.epoch, epoch}.there();
  }
  Cell* cells(std::uint32_t operation) const { return memory_->cells[operation & 1]; }
  /// The cell's member and its call.
  static BoardMember caller(std::size_t member, Cell const& cell);
  /// Behind the length of long data.
  template <class AnyCell>
  static auto payload(AnyCell& cell) {
    return std::span{cell.data}.subspan(
        cell.call.length == BoardCall::long_length ? sizeof(std::uint64_t) : 0);
  }
  void fill(Cell& cell, BoardMember const& own, Bytes mine) const;
  Cell& slot() const { return memory_->slot[broadcasts_ % slots]; }
  std::size_t other() const { return 1 - me_; }
  bool arrived_at(std::uint32_t operation, std::size_t member) const {
    return reached(cells(operation)[member], operation);
  }
  /// The operation at which all must have arrived before the next one is entered.
  std::uint32_t needed_for_entry() const {
    constexpr std::uint32_t one_before_the_last = 2;
    bool const cells_are_read = (exchanges_ & one_before_the_last) != 0;
    return members_ == 2 || cells_are_read ? entered_ : entered_ - 1;
  }
  std::optional<Begun> begun_elsewhere(std::size_t member) const;

  Boards& boards_;
  Memory* memory_;
  std::size_t members_;
  std::size_t me_;
  std::uint32_t entered_ = 0;     ///< reductions, barriers and exchanges
  std::uint32_t exchanges_ = 0;   ///< bits: which of these were exchanges, the last one in bit 0
  bool uniform_ = false;          ///< of the last operation that this member ended: equal calls
  std::uint32_t broadcasts_ = 0;  ///< begun
  std::uint32_t read_until_ = 0;  ///< all members are known to be through with these broadcasts
  std::uint32_t history_ = 0;     ///< of calls
  struct OwnBegun {
    std::uint64_t begun = 0;
    std::uint64_t length = 0;
  };
  std::array<OwnBegun, 2 * slots> own_begun_{};  ///< by number
  std::uint64_t last_begun_ = 0;
};

}  // namespace earl
