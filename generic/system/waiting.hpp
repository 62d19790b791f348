// SPDX-License-Identifier: BSD-3-Clause
/// Waiting of a process: it spins, yields the CPU, or sleeps, by how many processes of its job are
/// awake on its CPU. Spinning is the fastest way to notice a message and the slowest when the
/// sender has no CPU to send it with.
#pragma once

#include <sched.h>

#include <chrono>
#include <cstdint>
#include <utility>

#include "generic/base/values.hpp"
#include "generic/system/awake.hpp"
#include "generic/system/wait_decision.hpp"

#if defined(__x86_64__)
#include "generic/system/relax_x86_64.hpp"
#elif defined(__aarch64__)
#include "generic/system/relax_aarch64.hpp"
#endif

namespace earl {

/// The user's settings; null where there is none.
struct WaitSettings {
  char const* wait = nullptr;     ///< EARL_WAIT: auto, spin, yield or block
  char const* spin_us = nullptr;  ///< EARL_SPIN_US: microseconds
  char const* yields = nullptr;   ///< EARL_YIELDS: how often

  static WaitSettings from_environment();
};

struct WaitPolicy {
  enum class Kind { automatic, spin, yield, block };

  Kind kind = Kind::automatic;
  /// Alone on a CPU. Longer than a hop between two, about as long as a sleep and a wake-up on an
  /// idle one.
  std::chrono::nanoseconds spin = std::chrono::microseconds{50};
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

/// The parameters of one wait.
struct Looking {
  int looks = 64;                     ///< between two at the clock, which costs as much as several
  std::chrono::nanoseconds least{0};  ///< for so long it is worth to spin
  std::uint32_t processes = 1;        ///< that compete for the CPUs: where nothing better is known
  bool system_calls = false;          ///< each look is one
};

/// One port's waits. Each says true when `ready()` did, or the deadline has passed.
class Waiter {
 public:
  explicit Waiter(WaitPolicy const& policy, AwakeEntry const& entry = {})
      : policy_(policy), entry_(entry) {}

  WaitPolicy const& policy() const { return policy_; }

  /// The delay of the next sleep beyond the usual one.
  std::chrono::nanoseconds linger() const { return history_.linger(); }

  /// The port has woken another process: it may be queued for this CPU.
  void woke_another() { woke_ = true; }

  /// Keeps its CPU or gives it away, until it is time to sleep. `ready(i)` receives the number of
  /// the look; 0: it looks everywhere.
  template <class Ready>
  bool await(Deadline deadline, Looking const& looking, Ready ready) {
    bool const woke = woke_;
    woke_ = false;
    if (policy_.kind == WaitPolicy::Kind::block) return false;
    if (!woke && glance(alone_ ? looking.looks : few_looks, ready)) return true;
    WaitDecision decision{policy_,
                          {.least = looking.least,
                           .linger = history_.linger(),
                           .woke = woke,
                           .system_calls = looking.system_calls}};
    const Deadline start = Clock::now();
    for (Deadline now = start; now < deadline;) {
      auto const cpu = look_around(now, looking.processes);
      auto const step = decision.next(cpu, now - start);
      if (step == WaitDecision::Step::sleep) return false;
      if (step == WaitDecision::Step::yield) ::sched_yield();
      const Deadline before = std::exchange(now, Clock::now());
      if (step == WaitDecision::Step::yield) entry_.judge_yield(before, now);
      if (glance(step == WaitDecision::Step::yield ? 1 : looking.looks, ready)) return true;
    }
    return true;
  }

  /// Gives its CPU away again and again.
  template <class Ready>
  bool yield(Deadline deadline, Ready ready) {
    if (policy_.kind == WaitPolicy::Kind::block) return false;
    bool const forever = policy_.kind == WaitPolicy::Kind::yield;
    auto const linger = history_.linger();
    const Deadline start = linger == linger.zero() ? Deadline{} : Clock::now();
    for (std::uint32_t i = 0;; ++i) {
      const Deadline now = Clock::now();
      if (now >= deadline) return true;
      if (!forever && i >= policy_.yields && now - start >= linger) return false;
      ::sched_yield();
      if (ready()) return true;
    }
  }

  /// Runs `sleep()`, which ends with `until` at the latest, and gives the time when the bell rang
  /// that ended it, or Deadline{}: not known. Says whether it did not last until then.
  template <class Sleep>
  bool sleep(Deadline until, Sleep sleep) {
    const Deadline before = Clock::now();
    entry_.leave();
    const Deadline rung = sleep();
    const Deadline after = Clock::now();
    bool const woken = after < until;
    entry_.observe(after);
    if (!policy_.adapts) return woken;
    if (woken)
      history_.woken_after((rung > before && rung < after ? rung : after) - before);
    else
      history_.not_woken();
    return woken;
  }

 private:
  /// Where another process waits for the CPU.
  static constexpr int few_looks = 8;

  template <class Ready>
  bool glance(int looks, Ready& ready) {
    for (int i = 0; i < looks; ++i, relax())
      if (ready(i)) return true;
    return false;
  }

  CpuState look_around(Deadline now, std::uint32_t processes) {
    auto const cpu = entry_.known() ? entry_.observe(now)
                                    : CpuState{.awake = policy_.may_spin(processes) ? 1 : 2};
    alone_ = cpu.awake == 1;
    return cpu;
  }

  WaitPolicy policy_;
  AwakeEntry entry_;
  SleepHistory history_;
  bool alone_ = true;  ///< on the CPU of the last look around
  bool woke_ = false;
};

}  // namespace earl
