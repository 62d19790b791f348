// SPDX-License-Identifier: BSD-3-Clause
/// A fault that is asked for, to see that it is found, or repaired:
/// EARL_MYRINET_FAULT=KIND:RANK:PACKET, or leak:SEED:PERCENT.
#pragma once

#include <cstdint>

#include "generic/base/values.hpp"

namespace earl::myrinet {

struct FaultInjection {
  enum class Kind {
    none,
    flip,   ///< one bit of the packet
    lose,   ///< the packet vanishes
    route,  ///< a byte of its route is another
    cut,    ///< the sender's cable carries nothing from then on
    leak,   ///< so many of a hundred packets vanish, whichever process sends them
  };

  Kind kind = Kind::none;
  Rank sender{};
  std::uint64_t packet = 0;  ///< of that sender, from 0
  std::uint64_t seed = 0;    ///< of a leak: which ones
  std::uint64_t percent = 0;

  /// Throws Error when it makes no sense.
  static FaultInjection from_environment();

  bool strikes(Rank rank, std::uint64_t number) const {
    if (kind == Kind::none) [[likely]]
      return false;
    if (kind == Kind::leak) return leaks(rank, number);
    return rank == sender && (kind == Kind::cut ? number >= packet : number == packet);
  }

 private:
  bool leaks(Rank rank, std::uint64_t number) const;
};

}  // namespace earl::myrinet
