#include "backends/shm/door.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace earl::shm {

void RankSet::remove(Rank rank) {
  const std::size_t leaf = index(rank) / 64;
  const std::uint64_t member = std::uint64_t{1} << leaf % 64;
  auto const before = leaves_[leaf].fetch_and(~bit(rank), std::memory_order_seq_cst);
  if ((before & ~bit(rank)) != 0) return;
  summary_[leaf / 64].fetch_and(~member, std::memory_order_seq_cst);
  if (leaves_[leaf].load(std::memory_order_seq_cst) != 0)  // somebody came in between
    summary_[leaf / 64].fetch_or(member, std::memory_order_seq_cst);
}

void ring_bell(Door& door) {
  int const before = errno;
  door.bell.fetch_add(1, std::memory_order_release);
  ::syscall(SYS_futex, &door.bell, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  errno = before;
}

void wait_for_bell(Door& door, std::uint32_t seen, Deadline deadline) {
  using namespace std::chrono;
  auto const since = deadline.time_since_epoch();
  auto const whole = duration_cast<seconds>(since);
  const timespec until{static_cast<time_t>(whole.count()),
                       static_cast<long>(duration_cast<nanoseconds>(since - whole).count())};
  // An absolute time of the monotonic clock, which is what Clock is here.
  ::syscall(SYS_futex, &door.bell, FUTEX_WAIT_BITSET, seen, deadline == never ? nullptr : &until,
            nullptr, FUTEX_BITSET_MATCH_ANY);
}

}  // namespace earl::shm
