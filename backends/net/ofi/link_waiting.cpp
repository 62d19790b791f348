// SPDX-License-Identifier: BSD-3-Clause
/// Waits for libfabric, for EXEC, and for work that neither signals.
#include <poll.h>
#include <sched.h>

#include <algorithm>
#include <array>

#include "backends/net/ofi/link.hpp"
#include "generic/system/poll_until.hpp"

namespace earl::net::ofi {

namespace {

/// Where the provider has nothing to wait on, or connects while it is asked.
constexpr std::chrono::microseconds time_between_looks{100};

}  // namespace

bool OfiLink::ready() {
  poll_events();
  return is_here() || notices_.pending() || woken_.load(std::memory_order_relaxed);
}

void OfiLink::sleep(Deadline deadline) {
  if (woken_.exchange(false) || !ofi_) return;
  if (is_busy()) {
    ::sched_yield();
    return poll_events();
  }
  std::array<pollfd, 2> files{pollfd{.fd = bell_.get(), .events = POLLIN, .revents = 0},
                              pollfd{.fd = calls_.wait_fd(ofi_), .events = POLLIN, .revents = 0}};
  bool const waits = files[1].fd >= 0;
  // A provider that has something for itself to do says so instead.
  if (waits && !calls_.may_sleep(ofi_)) return poll_events();
  if (ready()) return;
  if (needs_timed_poll())
    deadline = std::min<Deadline>(deadline, Clock::now() + time_between_looks);
  poll_until(std::span{files}.first(waits ? 2 : 1), deadline);
  if (files[0].revents != 0) bell_.listen();
  woken_.store(false);
}

/// A long message moves: no use to sleep.
bool OfiLink::is_busy() const { return moves_.any() && Clock::now() < busy_until_; }

/// Whether there is work that no descriptor signals.
bool OfiLink::needs_timed_poll() {
  return calls_.wait_fd(ofi_) < 0 || std::exchange(refused_, false) || !dying_.empty() ||
         answers_pending_ || !broken_.empty() || moves_.any();
}

int OfiLink::wait_fd() {
  if (!poll_descriptor_) {
    poll_descriptor_ =
        std::make_unique<PollDescriptor>(bell_.get(), ofi_ ? calls_.wait_fd(ofi_) : -1);
    poll_descriptor_->look_again({});
  }
  return poll_descriptor_->get();
}

/// For callers that wait on the descriptor.
void OfiLink::rearm() {
  if (!poll_descriptor_) return;
  if (is_here() || notices_.pending() || is_busy())
    poll_descriptor_->look_again({});
  else if (needs_timed_poll())
    poll_descriptor_->look_again(time_between_looks);
  else
    keep_moving();
}

/// A provider may have work that no descriptor signals.
void OfiLink::keep_moving() {
  if (poll_descriptor_ && ofi_ && !calls_.may_sleep(ofi_)) poll_descriptor_->look_again({});
}

void OfiLink::wake() {
  woken_.store(true);
  bell_.ring();
}

}  // namespace earl::net::ofi
