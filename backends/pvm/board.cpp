#include "backends/pvm/board.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstring>

#include "generic/error.hpp"

namespace earl::pvm_machine {

namespace {

constexpr std::uint64_t board_magic = 0x31'4d56'504c'5241;  // "ARLPVM1"
constexpr char const* a_job = "a job on PVM";
constexpr std::size_t rows_at = 256;
static_assert(sizeof(BoardHead) <= rows_at);

constexpr std::size_t size_for(std::uint32_t capacity) {
  return rows_at + capacity * (sizeof(BoardRow) + sizeof(std::int32_t));
}

/// Above PVM's own contexts, which count from 0: they never get that far.
std::int32_t random_context() {
  std::uint32_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != sizeof bits)
    throw Error("no random number: {}", system_message(errno));
  return static_cast<std::int32_t>((bits & 0x3fff'ffff) | 0x4000'0000);
}

}  // namespace

Board::Board(std::uint32_t capacity, std::string const& socket)
    : memory_("earl pvm job", size_for(capacity)) {
  divide(capacity);
  head_->magic = board_magic;
  head_->capacity = capacity;
  head_->context = random_context();
  if (socket.size() >= sizeof head_->socket)
    throw Error("the PVM daemon's socket {} has too long a name", socket);
  std::memcpy(head_->socket, socket.c_str(), socket.size() + 1);
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
  if (has_ended(rank)) return;
  row(rank).life.store(static_cast<std::uint32_t>(Life::ended), std::memory_order_release);
  auto const n = head_->deaths.load(std::memory_order_relaxed);
  obituary_[n].store(number(rank), std::memory_order_relaxed);
  head_->deaths.store(n + 1, std::memory_order_release);
}

}  // namespace earl::pvm_machine
