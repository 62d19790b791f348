/// How a process waits: spin, then give the CPU away, then sleep. Spinning is the fastest way to
/// hear of a message and the slowest when the sender has no CPU to send it with.
#pragma once

#include <chrono>
#include <cstdint>

namespace earl {

/// What the user asked for; null where nothing was.
struct WaitSettings {
  char const* wait = nullptr;     ///< EARL_WAIT: auto, spin, yield or block
  char const* spin_us = nullptr;  ///< EARL_SPIN_US: microseconds
  char const* yields = nullptr;   ///< EARL_YIELDS: how often

  static WaitSettings from_environment();
};

/// A sleep that short was not worth it: waking somebody on an idle CPU takes about a fifth of this.
/// Two processes that answer each other would never get out of sleeping, because each wakes up too
/// late for the other to be still awake. So the next sleep comes this much later.
inline constexpr std::chrono::nanoseconds short_sleep = std::chrono::microseconds{200};

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
  /// How much later the next sleep comes, after one of that length. `woken`: before its deadline.
  std::chrono::nanoseconds linger_after(std::chrono::nanoseconds slept, bool woken) const {
    return adapts && woken && slept < short_sleep ? short_sleep : short_sleep.zero();
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

}  // namespace earl
