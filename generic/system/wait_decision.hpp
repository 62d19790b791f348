// SPDX-License-Identifier: BSD-3-Clause
/// The next step of a waiting process. Reads no clock and makes no system call: others do, and act
/// on it.
#pragma once

#include <chrono>
#include <cstdint>

#include "generic/base/values.hpp"
#include "generic/system/awake.hpp"

namespace earl {

struct WaitPolicy;

/// The initial state of a wait.
struct WaitStart {
  std::chrono::nanoseconds least{0};  ///< for so long it is worth to spin
  std::chrono::nanoseconds linger{
      0};             ///< to wait longer before sleeping, because the last sleep was short
  bool woke = false;  ///< this process has woken another since its last wait
  /// Each look is one: among others a yield and a look cost more than to sleep and be woken.
  bool system_calls = false;
};

/// One wait, step by step. Alone on a CPU spinning is the fastest way to notice a message; beside a
/// few of the job, which may have to run for the message to come, yielding is; yielding to many
/// runs through all of them, so that among many it is faster to sleep and be woken.
class WaitDecision {
 public:
  enum class Step { poll, yield, sleep };

  WaitDecision(WaitPolicy const& policy, WaitStart const& start) : policy_(policy), start_(start) {}

  /// `waited`: since the wait began. Nothing has been there since the last step.
  Step next(CpuState const& cpu, std::chrono::nanoseconds waited);

 private:
  Step among_others(CpuState const& cpu, std::chrono::nanoseconds waited) const;
  Step alone(CpuState const& cpu, std::chrono::nanoseconds waited);
  std::chrono::nanoseconds span() const;
  Step counted(Step step);

  WaitPolicy const& policy_;
  WaitStart start_;
  std::uint32_t yields_ = 0;
  std::chrono::nanoseconds next_probe_{std::chrono::microseconds{2}};
};

/// When to put off sleeping, from how the last sleeps ended.
class SleepHistory {
 public:
  /// A sleep that was ended by a bell, `length` after it had begun: not after it was over, because
  /// how late a process runs that has been woken says nothing of how soon the message came.
  void woken_after(std::chrono::nanoseconds length);
  void not_woken() { cool_down(); }
  std::chrono::nanoseconds linger() const { return linger_; }

 private:
  void cool_down();

  std::chrono::nanoseconds linger_{0};
};

}  // namespace earl
