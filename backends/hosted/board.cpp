// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/board.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>

#include <cerrno>
#include <climits>
#include <ctime>
#include <set>

namespace earl::hosted_backend {

namespace {

constexpr std::uint64_t board_magic = 0x32'4252'4c4c'5241;  // "ARLLRB2"
constexpr char const* a_job = "a job on a native library";
constexpr std::size_t rows_at = 128;
static_assert(sizeof(BoardHead) <= rows_at);

constexpr std::size_t size_for(std::uint32_t processes) {
  return rows_at + processes * sizeof(BoardRow);
}

}  // namespace

Board::Board(Spread const& spread, std::uint32_t cpus)
    : memory_("earl library job", size_for(static_cast<std::uint32_t>(spread.hosts.size()))) {
  divide();
  head_->magic = board_magic;
  head_->processes = static_cast<std::uint32_t>(spread.hosts.size());
  head_->here = spread.here;
  for (std::uint32_t i = 0; i < processes(); ++i) rows_[i].host = spread.hosts[i];
  head_->spins = spread.ranks_here().size() <= cpus ? 1 : 0;
  // With more processes there is a nap for about every packet, and the fence belongs where it is
  // cheap.
  head_->one_sided = head_->spins != 0 && Fences::can_be_one_sided() ? 1 : 0;
}

Board::Board(Descriptor memory) : memory_(std::move(memory), rows_at, a_job) {
  divide();
  if (head_->magic != board_magic || head_->processes == 0 ||
      memory_.size() != size_for(head_->processes))
    memory_.refuse(a_job);
}

/// Fresh memory is zero, the initial value of all these.
void Board::divide() {
  head_ = reinterpret_cast<BoardHead*>(memory_.data());
  rows_ = reinterpret_cast<BoardRow*>(memory_.data() + rows_at);
}

std::vector<Rank> Board::elsewhere() const {
  std::vector<Rank> ranks;
  std::set<std::uint32_t> known{head_->here};
  for (std::uint32_t i = 0; i < processes(); ++i)
    if (known.insert(rows_[i].host).second) ranks.push_back(Rank{static_cast<std::int32_t>(i)});
  return ranks;
}

void Board::change(Rank rank, ProcessState state) {
  row(rank).state.store(static_cast<std::uint32_t>(state), std::memory_order_release);
  head_->changes.fetch_add(1);
  for (std::uint32_t i = 0; i < processes(); ++i) ring(Rank{static_cast<std::int32_t>(i)});
}

void Board::ring_door(Rank rank) {
  auto& door = row(rank);
  door.door.fetch_add(1);
  int const before = errno;
  ::syscall(SYS_futex, &door.door, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  errno = before;
}

void Board::sleep(Rank me, std::uint32_t door, std::int64_t microseconds) {
  timespec const most{.tv_sec = microseconds / 1'000'000,
                      .tv_nsec = microseconds % 1'000'000 * 1'000};
  ::syscall(SYS_futex, &row(me).door, FUTEX_WAIT, door, &most, nullptr, 0);
}

}  // namespace earl::hosted_backend
