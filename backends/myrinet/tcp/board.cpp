#include "backends/myrinet/tcp/board.hpp"

#include <cstring>

#include "generic/error.hpp"

namespace earl::tcp {

namespace {

constexpr std::uint64_t board_magic = 0x31'5043'544c'5241;  // "ARLTCP1"
constexpr char const* a_job = "a job on TCP";
constexpr std::size_t rows_at = 64;
static_assert(sizeof(BoardHead) <= rows_at);

constexpr std::size_t size_for(std::uint32_t capacity) {
  return rows_at + capacity * (sizeof(BoardRow) + sizeof(std::int32_t));
}

}  // namespace

Board::Board(std::uint32_t capacity, Secret const& secret)
    : memory_("earl tcp job", size_for(capacity)) {
  divide(capacity);
  head_->magic = board_magic;
  head_->capacity = capacity;
  head_->secret = secret;
}

Board::Board(Descriptor memory) : memory_(std::move(memory), rows_at, a_job) {
  auto const& head = *reinterpret_cast<BoardHead const*>(memory_.data());
  if (head.magic != board_magic || head.capacity == 0 || memory_.size() != size_for(head.capacity))
    memory_.refuse(a_job);
  divide(head.capacity);
}

/// Fresh memory is zero, which is what all these start as.
void Board::divide(std::uint32_t capacity) {
  head_ = reinterpret_cast<BoardHead*>(memory_.data());
  rows_ = reinterpret_cast<BoardRow*>(memory_.data() + rows_at);
  obituary_ = reinterpret_cast<std::atomic<std::int32_t>*>(rows_ + capacity);
}

void Board::bury(Rank rank) {
  if (row(rank).ended.exchange(1) != 0) return;
  auto const n = head_->deaths.load(std::memory_order_relaxed);
  obituary_[n].store(number(rank), std::memory_order_relaxed);
  head_->deaths.store(n + 1, std::memory_order_release);
}

void Board::tell_address(Rank rank, std::string_view address) {
  auto& to = row(rank);
  if (address.size() >= sizeof to.address)
    throw Error("\"{}\" is too long for an address", address);
  if (to.known.load() != 0) return;
  std::memcpy(to.address, address.data(), address.size());
  to.known.store(1);
}

std::string Board::address(Rank rank) {
  auto& from = row(rank);
  if (from.known.load() == 0) return {};
  return {from.address, ::strnlen(from.address, sizeof from.address)};
}

}  // namespace earl::tcp
