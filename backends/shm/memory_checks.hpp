// SPDX-License-Identifier: BSD-3-Clause
/// A process's checks for damage to the job's memory: it knows its own writes. An overwritten
/// packet is never received: without the checks the job would seem to wait for a message.
#pragma once

#include <cstdint>

#include "backends/shm/peers.hpp"
#include "backends/shm/segment.hpp"

namespace earl::shm {

/// Each throws MemoryDamage.
class MemoryChecks {
 public:
  MemoryChecks(Segment& segment, Rank me) : segment_(segment), me_(me) {}

  /// Whether a value of `rank`'s state word is one that EXEC writes.
  [[gnu::noinline]] void check_end(Rank rank);
  /// This process's state, and the head.
  void check_own_door();
  /// Whether the shared words of the two rings that this process alone has written are unchanged,
  /// and those of its peer are plausible.
  void check_peer(Peer& peer);
  /// A ring in the directory that is none from `slot` to here.
  void check_foreign(Ring const& ring, Rank slot, std::uint32_t pages);
  [[noreturn, gnu::cold, gnu::noinline]] void refuse_sender_set();

 private:
  Segment& segment_;
  Rank me_;
};

}  // namespace earl::shm
