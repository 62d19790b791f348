#include "backends/myrinet/ofi/board.hpp"

namespace earl::myrinet::ofi {

namespace {

constexpr std::uint64_t board_magic = 0x31'4946'4f4c'5241;  // "ARLOFI1"
constexpr char const* a_job = "a job on libfabric";
constexpr std::size_t rows_at = 64;
static_assert(sizeof(BoardHead) <= rows_at);

constexpr std::size_t size_for(std::uint32_t capacity) {
  return rows_at + capacity * (sizeof(BoardRow) + sizeof(std::int32_t));
}

}  // namespace

Board::Board(std::uint32_t capacity, std::uint32_t cpus)
    : memory_("earl libfabric job", size_for(capacity)) {
  divide(capacity);
  head_->magic = board_magic;
  head_->capacity = capacity;
  head_->cpus = cpus;
}

Board::Board(Descriptor memory) : memory_(std::move(memory), rows_at, a_job) {
  auto const* const head = reinterpret_cast<BoardHead const*>(memory_.data());
  if (head->magic != board_magic || memory_.size() != size_for(head->capacity))
    memory_.refuse(a_job);
  divide(head->capacity);
}

/// Fresh memory is zero, which is what all these start as.
void Board::divide(std::uint32_t capacity) {
  head_ = reinterpret_cast<BoardHead*>(memory_.data());
  rows_ = reinterpret_cast<BoardRow*>(memory_.data() + rows_at);
  obituary_ = reinterpret_cast<std::atomic<std::int32_t>*>(memory_.data() + rows_at +
                                                           capacity * sizeof(BoardRow));
}

void Board::bury(Rank rank) {
  if (row(rank).ended.exchange(1) != 0) return;
  obituary_[head_->deaths.load()].store(number(rank));
  head_->deaths.fetch_add(1);
}

}  // namespace earl::myrinet::ofi
