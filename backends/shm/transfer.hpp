// SPDX-License-Identifier: BSD-3-Clause
/// Long messages: the receiver reads them out of the sender's memory, with its help if it waits, or
/// out of the job's when the sender could not wait.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "backends/shm/arena.hpp"
#include "backends/shm/cooperative_copy.hpp"
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
  /// Whether a receiver is reading a message of which this process can write a chunk itself.
  bool has_chunk_to_write() {
    return std::ranges::any_of(cooperative_, [this](Remote const& remote) {
      return shm::has_chunk_to_write(slot(remote));
    });
  }
  /// Writes one; false: there is none.
  bool write_chunk();
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
  bool writes_ = true;               ///< receivers' memory; cleared at the first refusal
  std::vector<Remote> cooperative_;  ///< exposed messages long enough, the first first
  std::unordered_map<Offset, Exposed> exposed_;
};

/// A process that receives, and its access to other processes.
struct Receiver {
  Rank rank = no_rank;
  bool readable = true;  ///< it may read their memory; cleared at the first refusal
  bool writable = true;  ///< they may write to its own
};

/// The receiver's half.
Pulled pull(Segment& segment, Rank from, Offer const& offer, Scatter const& to, Receiver& receiver);

}  // namespace earl::shm
