// SPDX-License-Identifier: BSD-3-Clause
/// Waiting for descriptors up to a point in time.
#pragma once

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <span>

#include "generic/base/values.hpp"

namespace earl {

/// Like ppoll(2) without a signal mask: how many have something, 0 at the deadline, -1 and errno.
/// Deadline{}: looks, and does not wait.
inline int poll_until(std::span<pollfd> files, Deadline deadline) {
  using std::chrono::nanoseconds;
  if (deadline == never) return ::ppoll(files.data(), files.size(), nullptr, nullptr);
  auto const left =
      deadline == Deadline{}
          ? nanoseconds{0}
          : std::max(nanoseconds{0},
                     std::chrono::duration_cast<nanoseconds>(deadline - Clock::now()));
  const timespec time{.tv_sec = left.count() / 1'000'000'000,
                      .tv_nsec = left.count() % 1'000'000'000};
  return ::ppoll(files.data(), files.size(), &time, nullptr);
}

}  // namespace earl
