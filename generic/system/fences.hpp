// SPDX-License-Identifier: BSD-3-Clause
/// The fences of senders and sleepers. No wake-up is lost because both do the same: write, fence,
/// look. A sender writes its packet and looks whether the receiver sleeps; the receiver writes that
/// it sleeps and looks for packets.
#pragma once

#include <atomic>

namespace earl {

inline void fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }

/// Linux lets one process fence for all others (membarrier): then a sender has none, which on its
/// way stands between one packet and the next, and a sleeper pays for both. All processes of a job
/// must agree.
class Fences {
 public:
  /// Both sides fence.
  Fences() = default;
  explicit Fences(bool one_sided);

  /// Whether this machine lets them be one-sided.
  static bool can_be_one_sided();

  /// A sender's: between its writes and its look at the receiver.
  void own() const {
    if (own_) [[unlikely]]
      return fence();
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  /// A sleeper's. False: others may not have seen, and may not be seen; then do not sleep long.
  [[nodiscard]] bool all() const;

 private:
  bool one_sided_ = false;
  bool own_ = true;
};

}  // namespace earl
