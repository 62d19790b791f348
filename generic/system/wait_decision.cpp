// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/wait_decision.hpp"

#include <algorithm>

#include "generic/system/waiting.hpp"

namespace earl {

namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

/// A yield to one of the job takes about a microsecond, sleeping and being woken four.
constexpr std::int32_t most_to_yield_to = 4;
/// Among many equal ones, the one just woken is often next.
constexpr std::uint32_t yields_among_many = 1;
/// Where a yield is expensive a sleep is a good way to get the CPU back.
constexpr nanoseconds spin_if_yield_disabled = microseconds{20};
/// A sleep that short was not worth it: waking a process on an idle CPU takes about a fifth of
/// this. Two processes that answer each other would never get out of sleeping, because each wakes
/// up too late for the other to be still awake. So the next sleep comes this much later.
constexpr nanoseconds short_sleep = microseconds{200};
constexpr nanoseconds least_linger = microseconds{20};

}  // namespace

WaitDecision::Step WaitDecision::next(CpuState const& cpu, nanoseconds waited) {
  switch (policy_.kind) {
    case WaitPolicy::Kind::spin:
      return Step::poll;
    case WaitPolicy::Kind::yield:
      return Step::yield;
    case WaitPolicy::Kind::block:
      return Step::sleep;
    case WaitPolicy::Kind::automatic:
      break;
  }
  return counted(cpu.awake > 1 ? among_others(cpu, waited) : alone(cpu, waited));
}

WaitDecision::Step WaitDecision::among_others(CpuState const& cpu, nanoseconds waited) const {
  if (cpu.yield_disabled || start_.system_calls) return Step::sleep;
  if (policy_.adapts && cpu.awake > most_to_yield_to)
    return yields_ < yields_among_many ? Step::yield : Step::sleep;
  if (yields_ < policy_.yields) return Step::yield;
  return policy_.adapts && waited < span() ? Step::yield : Step::sleep;
}

/// Now and then yields all the same: another process of the job that has been woken here is not
/// counted before it has run.
WaitDecision::Step WaitDecision::alone(CpuState const& cpu, nanoseconds waited) {
  if (cpu.yield_disabled) {
    auto const most = start_.woke ? nanoseconds{0} : std::min(policy_.spin, spin_if_yield_disabled);
    return waited >= std::max(most, start_.least) ? Step::sleep : Step::poll;
  }
  if (start_.woke && yields_ == 0) return Step::yield;
  if (waited >= span()) return Step::sleep;
  if (waited < next_probe_) return Step::poll;
  next_probe_ = std::max(2 * next_probe_, waited);
  return Step::yield;
}

nanoseconds WaitDecision::span() const {
  return std::max({policy_.spin, start_.linger, start_.least});
}

WaitDecision::Step WaitDecision::counted(Step step) {
  if (step == Step::yield) ++yields_;
  return step;
}

void SleepHistory::woken_after(nanoseconds length) {
  if (length < short_sleep)
    linger_ = short_sleep;
  else
    cool_down();
}

/// By halves: one slow wake-up says little.
void SleepHistory::cool_down() {
  linger_ /= 2;
  if (linger_ < least_linger) linger_ = linger_.zero();
}

}  // namespace earl
