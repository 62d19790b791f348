// SPDX-License-Identifier: BSD-3-Clause
#include "generic/collectives/collective_board.hpp"

#include <algorithm>
#include <cstring>

#include "generic/collectives/bracketing.hpp"

namespace earl {

namespace {

// A member's word about the collective it is in, from the lowest bit: word, number, and two flags.
constexpr unsigned number_at = 32;
constexpr std::uint64_t by_messages = std::uint64_t{1} << 62;
constexpr std::uint64_t valid = std::uint64_t{1} << 63;
constexpr std::uint32_t number_bits = 0x3fff'ffff;

std::uint32_t word_in(std::uint64_t begun) { return static_cast<std::uint32_t>(begun); }
std::uint32_t number_in(std::uint64_t begun) {
  return static_cast<std::uint32_t>(begun >> number_at) & number_bits;
}

/// The distance of `a` ahead of `b`; numbers of collectives wrap.
std::int32_t ahead(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int32_t>((a - b) << 2) >> 2;
}

constexpr std::uint32_t mixed(std::uint32_t hash, std::uint32_t value) {
  hash = (hash ^ value) * 0x9e37'79b1U;
  return hash ^ hash >> 15;
}

/// The part of a call that is alike on all members, whatever their programs say of the elements.
std::uint32_t common(std::uint32_t word) {
  auto call = CollectiveCall::from(word);
  call.reduction = Reduction::unspecified;
  call.element = ElementType::unspecified;
  return call.word();
}

struct Failure {
  std::uint64_t length[2];
  std::uint32_t member[2];
  BoardCall call[2];
};
static_assert(sizeof(Failure) <= CollectiveBoard::most_bytes);

}  // namespace

std::uint32_t BoardMember::hash() const {
  auto const hash = mixed(mixed(mixed(1, call.word), call.number),
                          std::uint32_t{call.history} << 16 | call.length);
  if (call.length != BoardCall::long_length) return hash;
  return mixed(mixed(hash, static_cast<std::uint32_t>(length)),
               static_cast<std::uint32_t>(length >> 32));
}

CollectiveBoard::CollectiveBoard(Boards& boards, std::byte* memory, std::size_t members,
                                 std::size_t me)
    : boards_(boards), memory_(reinterpret_cast<Memory*>(memory)), members_(members), me_(me) {}

Awaited CollectiveBoard::entry() const {
  auto const needed = needed_for_entry();
  if (members_ == 2) return {&cells(needed)[other()].epoch, needed};
  return {&memory_->released.value, needed};
}

BoardMember CollectiveBoard::caller(std::size_t member, Cell const& cell) {
  BoardMember one{member, cell.call, cell.call.length};
  if (cell.call.length == BoardCall::long_length)
    std::memcpy(&one.length, cell.data, sizeof one.length);
  return one;
}

void CollectiveBoard::fill(Cell& cell, BoardMember const& own, Bytes mine) const {
  cell.call = own.call;
  if (own.call.length == BoardCall::long_length) [[unlikely]]
    std::memcpy(cell.data, &own.length, sizeof own.length);
  copy(mine, payload(cell));
}

bool CollectiveBoard::enter(BoardMember const& own, Bytes mine, bool exchange) {
  ++entered_;
  exchanges_ = exchanges_ << 1 | (exchange ? 1 : 0);
  Cell& cell = cells(entered_)[me_];
  fill(cell, own, mine);
  cell.epoch.store(entered_, std::memory_order_release);
  if (members_ == 2) return false;
  std::uint64_t const hash = own.hash();
  auto& sum = memory_->arrivals[entered_ & 1].sum;
  auto const before = sum.fetch_add(hash << 32 | 1, std::memory_order_acq_rel);
  auto const count = static_cast<std::uint32_t>(before) + 1;
  if (count == 0 || count > members_) boards_.board_damaged();
  uniform_ = static_cast<std::uint32_t>((before >> 32) + hash) ==
             static_cast<std::uint32_t>(hash * members_);
  return count == members_;
}

Awaited CollectiveBoard::done() const {
  if (members_ == 2) return {&cells(entered_)[other()].epoch, entered_};
  return {&memory_->released.value, entered_};
}

std::optional<BoardMember> CollectiveBoard::first_mismatch(BoardMember const& own) const {
  if (members_ > 2 && uniform_) return std::nullopt;
  for (std::size_t member = 0; member < members_; ++member)
    if (auto const other = caller(member, cells(entered_)[member]); !own.fits(other)) return other;
  return std::nullopt;
}

Bytes CollectiveBoard::given(std::size_t member) const { return payload(cells(entered_)[member]); }

void CollectiveBoard::combine_all(MutableBytes into, Combine const& combine) const {
  alignas(std::max_align_t) std::byte copies[Boards::most_members][most_bytes];
  auto const piece = [&](std::size_t member) {
    return MutableBytes{copies[member]}.first(into.size());
  };
  for (std::size_t member = 0; member < members_; ++member)
    copy(Bytes{cells(entered_)[member].data}.first(into.size()), piece(member));
  in_tree_order(members_,
                [&](std::size_t left, std::size_t right) { combine(piece(left), piece(right)); });
  copy(piece(0), into);
}

void CollectiveBoard::finish(Bytes result) { publish(result, Outcome::result); }

void CollectiveBoard::fail(BoardMember const& one, BoardMember const& other) {
  Failure const failure{
      {one.length, other.length},
      {static_cast<std::uint32_t>(one.member), static_cast<std::uint32_t>(other.member)},
      {one.call, other.call}};
  publish(bytes_of(failure), Outcome::failure);
}

void CollectiveBoard::publish(Bytes data, Outcome outcome) {
  Cell& cell = memory_->results[entered_ & 1];
  cell.call.word = static_cast<std::uint32_t>(outcome);
  copy(data, MutableBytes{cell.data});
  cell.epoch.store(entered_, std::memory_order_relaxed);
  memory_->arrivals[entered_ & 1].sum.store(0, std::memory_order_relaxed);
  memory_->released.value.store(entered_, std::memory_order_release);
}

std::optional<std::array<BoardMember, 2>> CollectiveBoard::read_result(MutableBytes into) const {
  Cell const& cell = memory_->results[entered_ & 1];
  auto const released = memory_->released.value.load(std::memory_order_relaxed);
  if (released != entered_ || cell.epoch.load(std::memory_order_relaxed) != entered_)
    boards_.board_damaged();
  if (cell.call.word == static_cast<std::uint32_t>(Outcome::result)) {
    copy(Bytes{cell.data}.first(into.size()), into);
    return std::nullopt;
  }
  Failure failure;
  std::memcpy(&failure, cell.data, sizeof failure);
  auto const member = [&](std::size_t i) {
    if (failure.member[i] >= members_) boards_.board_damaged();
    return BoardMember{failure.member[i], failure.call[i], failure.length[i]};
  };
  return std::array{member(0), member(1)};
}

void CollectiveBoard::check_other() const {
  if (cells(entered_)[other()].epoch.load(std::memory_order_relaxed) != entered_)
    boards_.board_damaged();
}

bool CollectiveBoard::claim_slot() {
  std::uint32_t before = broadcasts_ > slots ? broadcasts_ - slots : 0;
  return memory_->claims[broadcasts_ % slots].compare_exchange_strong(
      before, broadcasts_, std::memory_order_acq_rel, std::memory_order_acquire);
}

std::optional<BoardMember> CollectiveBoard::competing_root() const {
  if (!slot_written().there()) return std::nullopt;
  auto const root = CollectiveCall::from(slot().call.word).root;
  if (root >= members_) return std::nullopt;
  return caller(root, slot());
}

void CollectiveBoard::write_slot(BoardMember const& own, Bytes data) {
  fill(slot(), own, data);
  slot().epoch.store(broadcasts_, std::memory_order_release);
  leave_slot();
}

Awaited CollectiveBoard::slot_written() const { return {&slot().epoch, broadcasts_}; }

BoardMember CollectiveBoard::read_slot(std::size_t root, MutableBytes data) const {
  if (slot().epoch.load(std::memory_order_relaxed) != broadcasts_) boards_.board_damaged();
  auto const theirs = caller(root, slot());
  if (theirs.length == data.size() && data.size() <= most_bytes)
    copy(Bytes{slot().data}.first(data.size()), data);
  return theirs;
}

std::optional<std::size_t> CollectiveBoard::waiting_root() const {
  auto const root = memory_->root.value.load(std::memory_order_relaxed);
  if (root == 0) return std::nullopt;
  if (root > members_) boards_.board_damaged();
  return root - 1;
}

BoardMember CollectiveBoard::begin(std::uint32_t word, std::uint32_t number, std::size_t length,
                                   Place place) {
  auto const begun = valid | (place == Place::in_messages ? by_messages : 0) |
                     std::uint64_t{number} << number_at | word;
  Line& line = memory_->lines[me_];
  // No reader may take the new length for that of the call before.
  line.begun.store(0, std::memory_order_relaxed);
  line.length.store(length, std::memory_order_release);
  line.begun.store(begun, std::memory_order_release);
  own_begun_[number % own_begun_.size()] = {begun, length};
  last_begun_ = begun;
  bool const fits_in_cell = length <= most_bytes;
  BoardCall const call{
      .word = word,
      .number = number,
      .history = static_cast<std::uint16_t>(history_),
      .length = fits_in_cell ? static_cast<std::uint16_t>(length) : BoardCall::long_length};
  history_ = mixed(history_, common(word));
  return {me_, call, length};
}

/// A member that is ahead has passed by the place where this one waits for it; one at the same
/// number or behind is in a call that this one has not made.
std::optional<CollectiveBoard::Begun> CollectiveBoard::begun_elsewhere(std::size_t member) const {
  Line const& line = memory_->lines[member];
  auto const begun = line.begun.load(std::memory_order_acquire);
  auto const length = line.length.load(std::memory_order_acquire);
  if (begun == 0 || line.begun.load(std::memory_order_relaxed) != begun) return std::nullopt;
  auto const number = number_in(begun);
  auto const own = own_begun_[number % own_begun_.size()];
  bool const known = own.begun != 0 && number_in(own.begun) == number;
  bool const alike = (own.begun & by_messages) == (begun & by_messages) &&
                     ((begun & by_messages) != 0 || own.length == length);
  bool const same =
      known && alike &&
      CollectiveCall::from(word_in(own.begun)).fits(CollectiveCall::from(word_in(begun)));
  bool const passed = ahead(number, number_in(last_begun_)) > 0;
  if (!passed && (!known || same)) return std::nullopt;
  return Begun{.word = word_in(begun), .number = number, .length = length};
}

}  // namespace earl
