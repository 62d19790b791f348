// SPDX-License-Identifier: BSD-3-Clause
/// Slots in which senders say where the bytes of long messages are.
#pragma once

#include <bit>
#include <initializer_list>

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

/// The receiver's memory, into which a sender that waits copies a part itself.
struct ReceiverPlace {
  std::uint64_t address = 0;  ///< in the memory of process `pid`
  std::uint64_t length = 0;
  std::uint64_t pid = 0;
  std::int32_t rank = 0;
};

/// The claims of a slot whose receiver does not share the copying.
inline constexpr std::uint64_t no_cooperation = ~std::uint64_t{0};

struct alignas(cache_line) Slot {
  Shared<std::uint64_t> state = 0;
  MessagePlace place{};
  std::uint64_t seal = 0;  ///< seal_of(place), written with it

  // see cooperative_copy
  alignas(cache_line) Shared<std::uint64_t> claims = no_cooperation;
  Shared<std::uint32_t> written = 0;    ///< chunks that the sender has done with
  Shared<std::uint32_t> unwritten = 0;  ///< not 0: some of them it could not write
  ReceiverPlace target{};
  std::uint64_t target_seal = 0;  ///< seal_of(target), written with it
};

constexpr std::uint64_t seal_of_words(std::uint64_t key,
                                      std::initializer_list<std::uint64_t> words) {
  for (auto const word : words) key = (std::rotl(key, 23) ^ word) * 0x9e37'79b9'7f4a'7c15;
  return key;
}

/// Differs if any one word has been overwritten.
constexpr std::uint64_t seal_of(std::uint64_t key, std::uint64_t generation,
                                MessagePlace const& place) {
  return seal_of_words(key, {generation, place.address, place.length, place.copy, place.pid});
}
constexpr std::uint64_t seal_of(std::uint64_t key, std::uint64_t generation,
                                ReceiverPlace const& target) {
  return seal_of_words(key, {generation, target.address, target.length, target.pid,
                             static_cast<std::uint64_t>(target.rank)});
}

/// Generations distinguish a slot's uses: a late reader of an old offer must not claim a new one.
constexpr std::uint64_t state_of(std::uint64_t generation, Phase phase) {
  return generation << 8 | static_cast<std::uint64_t>(phase);
}
constexpr Phase phase_of(std::uint64_t state) { return static_cast<Phase>(state & 0xff); }

}  // namespace earl::shm
