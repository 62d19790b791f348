// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/doorbell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace earl {

void ring_bell(Doorbell& door) {
  int const before = errno;
  door.rung_at.store(
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count(),
      std::memory_order_relaxed);
  door.bell.fetch_add(1, std::memory_order_release);
  ::syscall(SYS_futex, &door.bell, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  errno = before;
}

void wait_for_bell(Doorbell& door, std::uint32_t seen, Deadline deadline) {
  using namespace std::chrono;
  auto const since = deadline.time_since_epoch();
  auto const whole = duration_cast<seconds>(since);
  const timespec until{static_cast<time_t>(whole.count()),
                       static_cast<long>(duration_cast<nanoseconds>(since - whole).count())};
  // An absolute time of the monotonic clock, which Clock is here.
  ::syscall(SYS_futex, &door.bell, FUTEX_WAIT_BITSET, seen, deadline == never ? nullptr : &until,
            nullptr, FUTEX_BITSET_MATCH_ANY);
}

}  // namespace earl
