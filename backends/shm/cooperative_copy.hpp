// SPDX-License-Identifier: BSD-3-Clause
/// Both ends of a long message copy it: the receiver reads chunks from the front out of the
/// sender's memory, and a sender that waits writes chunks from the back into the receiver's.
#pragma once

#include "backends/shm/message_place.hpp"
#include "backends/shm/process_memory.hpp"
#include "backends/shm/segment.hpp"

namespace earl::shm {

/// The receiver has read a shorter message before its sender would notice.
inline constexpr std::size_t least_cooperative = std::size_t{64} << 10;

/// One message, claimed by its receiver, which calls this: fills `to` with the message's first
/// bytes, from `place` in the memory of rank `from`. Neither end copies any more afterwards. Blocks
/// while the sender writes a chunk that it has begun.
Fetched read_with_sender(Segment& segment, Rank from, Slot& slot, std::uint64_t generation,
                         MessagePlace const& place, Rank receiver, MutableBytes to);

/// The sender: whether there is a chunk left for it to write.
bool has_chunk_to_write(Slot const& slot);
/// Writes it, or none if the receiver was faster. False: the system refuses to. Throws MemoryDamage
/// when the receiver's description of its memory has been overwritten.
bool write_chunk(Segment& segment, Slot& slot, std::uint64_t generation, Bytes message);

}  // namespace earl::shm
