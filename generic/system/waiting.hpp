// SPDX-License-Identifier: BSD-3-Clause
/// How a process waits: spin, then give the CPU away, then sleep. Spinning is the fastest way to
/// hear of a message and the slowest when the sender has no CPU to send it with.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "generic/base/values.hpp"

namespace earl {

/// What the user asked for; null where nothing was.
struct WaitSettings {
  char const* wait = nullptr;     ///< EARL_WAIT: auto, spin, yield or block
  char const* spin_us = nullptr;  ///< EARL_SPIN_US: microseconds
  char const* yields = nullptr;   ///< EARL_YIELDS: how often

  static WaitSettings from_environment();
};

struct WaitPolicy {
  enum class Kind { automatic, spin, yield, block };

  Kind kind = Kind::automatic;
  /// Longer than a hop between two CPUs, shorter than a sleep and a wake-up.
  std::chrono::nanoseconds spin = std::chrono::microseconds{20};
  /// Sleeping costs several of these when the message is a time slice away.
  std::uint32_t yields = 50;
  bool adapts = true;      ///< sleeps that turn out short put off the next; not if the user decides
  std::uint32_t cpus = 1;  ///< that the job may use

  /// Throws Error when a setting makes no sense. `cpus`: that the job may use.
  static WaitPolicy from(WaitSettings const& settings, std::uint32_t cpus);

  /// Whether all `processes` can be on a CPU at once.
  bool may_spin(std::uint32_t processes) const {
    return kind == Kind::spin || (kind == Kind::automatic && processes <= cpus);
  }
};

/// Tells the CPU that this is a waiting loop.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// One port's waits. Each says true when `ready()` did, or the deadline has passed.
class Waiter {
 public:
  explicit Waiter(WaitPolicy const& policy) : policy_(policy) {}

  WaitPolicy const& policy() const { return policy_; }

  /// Keeps its CPU: for `span`, or longer after a short sleep. `looks`: between two looks at the
  /// clock; `ready(i)` receives the iteration number.
  template <class Ready>
  bool spin(Deadline deadline, std::chrono::nanoseconds span, int looks, Ready ready) {
    bool const forever = policy_.kind == WaitPolicy::Kind::spin;
    Deadline end{};
    while (true) {
      if (glance(looks, ready)) return true;
      const Deadline now = Clock::now();
      if (now >= deadline) return true;
      if (end == Deadline{})
        end = now + std::max(span, linger_);
      else if (now >= end && !forever)
        return false;
    }
  }

  /// Where another process waits for the CPU.
  template <class Ready>
  bool glance(int looks, Ready ready) {
    for (int i = 0; i < looks; ++i, relax())
      if (ready(i)) return true;
    return false;
  }

  /// Gives its CPU away again and again.
  template <class Ready>
  bool yield(Deadline deadline, Ready ready) {
    if (policy_.kind == WaitPolicy::Kind::block) return false;
    bool const forever = policy_.kind == WaitPolicy::Kind::yield;
    const Deadline start = linger_ == linger_.zero() ? Deadline{} : Clock::now();
    for (std::uint32_t i = 0;; ++i) {
      const Deadline now = Clock::now();
      if (now >= deadline) return true;
      if (!forever && i >= policy_.yields && now - start >= linger_) return false;
      ::sched_yield();
      if (ready()) return true;
    }
  }

  /// Runs `sleep()`, which ends with `until` at the latest; says whether it did not.
  template <class Sleep>
  bool sleep(Deadline until, Sleep sleep) {
    const Deadline before = Clock::now();
    sleep();
    const Deadline after = Clock::now();
    bool const woken = after < until;
    bool const in_vain = policy_.adapts && woken && after - before < short_sleep;
    linger_ = in_vain ? short_sleep : short_sleep.zero();
    return woken;
  }

 private:
  /// A sleep that short was not worth it: waking a process on an idle CPU takes about a fifth of
  /// this. Two processes that answer each other would never get out of sleeping, because each wakes
  /// up too late for the other to be still awake. So the next sleep comes this much later.
  static constexpr std::chrono::nanoseconds short_sleep = std::chrono::microseconds{200};

  WaitPolicy policy_;
  std::chrono::nanoseconds linger_{0};
};

}  // namespace earl
