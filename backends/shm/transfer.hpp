// SPDX-License-Identifier: BSD-3-Clause
/// Long messages: the receiver reads them out of the sender's memory, or out of the job's when the
/// sender could not wait.
#pragma once

#include <unordered_map>

#include "backends/shm/arena.hpp"
#include "backends/shm/message_place.hpp"
#include "generic/seams/port.hpp"

namespace earl::shm {

/// The sender's half: which of its memory may be read.
class Exposures {
 public:
  Exposures(Segment& segment, Arena& arena) : segment_(segment), arena_(arena) {}

  Remote expose(Bytes bytes);
  bool copy_exposed(Remote const& remote);
  bool claimed(Remote const& remote);
  void unexpose(Remote const& remote);
  /// The last exposed memory is being read: the wait for it will be short.
  bool being_read();
  /// Whether the slots are as this process or a receiver may have left them. Throws MemoryDamage.
  void check();

 private:
  /// The slot's content when this process wrote it: others can write there, too.
  struct Exposed {
    std::uint64_t generation = 0;
    Bytes bytes{};
    MessagePlace place{};
  };

  void describe(Slot& slot, Exposed& exposed, Offset copy = 0);

  Slot& slot(Remote const& remote) { return segment_.at<Slot>(remote.where); }

  Segment& segment_;
  Arena& arena_;
  std::uint64_t generation_ = 0;
  Remote latest_{};
  std::unordered_map<Offset, Exposed> exposed_;
};

/// The outcome of reading another process's memory.
enum class Fetched { all, refused, lost };

/// Copies from the memory of process `pid`, starting at `address`, until `to` is full.
Fetched read_memory(std::int32_t pid, std::uint64_t address, Scatter const& to);
/// Whether this system lets a process read another's memory at all; asks by reading its own.
bool may_read_memory();

/// The receiver's half. `readable`: process memory may be read; cleared at the first refusal.
Pulled pull(Segment& segment, Rank from, Offer const& offer, Scatter const& to, bool& readable);

}  // namespace earl::shm
