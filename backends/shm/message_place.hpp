// SPDX-License-Identifier: BSD-3-Clause
/// Slots in which senders say where the bytes of long messages are.
#pragma once

#include <bit>

#include "backends/shm/layout.hpp"

namespace earl::shm {

/// Where a long message's bytes are. The phase and the generation are one word.
enum class Phase : std::uint32_t {
  open,      ///< in the sender's memory
  claimed,   ///< the receiver reads them there
  copying,   ///< the sender copies them into the job's memory
  stored,    ///< in the job's memory
  finished,  ///< the receiver has them
};

struct MessagePlace {
  std::uint64_t address = 0;  ///< in the memory of process `pid`
  std::uint64_t length = 0;
  Offset copy = 0;
  std::uint64_t pid = 0;
};

struct alignas(cache_line) Slot {
  Shared<std::uint64_t> state = 0;
  MessagePlace place{};
  std::uint64_t seal = 0;  ///< seal_of(place), written with it
};

/// Differs if any one word has been overwritten.
constexpr std::uint64_t seal_of(std::uint64_t key, std::uint64_t generation,
                                MessagePlace const& place) {
  std::uint64_t seal = key;
  for (auto const word : {generation, place.address, place.length, place.copy, place.pid})
    seal = (std::rotl(seal, 23) ^ word) * 0x9e37'79b9'7f4a'7c15;
  return seal;
}

/// Generations distinguish a slot's uses: a late reader of an old offer must not claim a new one.
constexpr std::uint64_t state_of(std::uint64_t generation, Phase phase) {
  return generation << 8 | static_cast<std::uint64_t>(phase);
}
constexpr Phase phase_of(std::uint64_t state) { return static_cast<Phase>(state & 0xff); }

}  // namespace earl::shm
