// SPDX-License-Identifier: BSD-3-Clause
/// A receiver waits until the sender of a long message has copied what it is copying right now.
#pragma once

#include <sched.h>

#include <ctime>

#include "backends/shm/door.hpp"
#include "generic/system/waiting.hpp"

namespace earl::shm {

/// Waits until done(), which loads a word of the sender's. Looks `looks` times before it gives the
/// CPU away, more generously the longer it takes. False: the sender has ended before.
template <class Done>
bool await_sender(Segment& segment, Rank sender, int looks, Done done) {
  for (int round = -looks; !done(); ++round) {
    if (round < 0) {
      relax();
      continue;
    }
    if (has_ended(segment, sender)) return done();
    if (round < 100) {
      ::sched_yield();
      continue;
    }
    const timespec nap{0, round < 1000 ? 50'000 : 1'000'000};
    ::nanosleep(&nap, nullptr);
  }
  return true;
}

}  // namespace earl::shm
