/// A fault that is asked for, to see that it is found: EARL_MYRINET_FAULT=KIND:RANK:PACKET.
#pragma once

#include <cstdint>

#include "generic/values.hpp"

namespace earl::myrinet {

struct Mishap {
  enum class Kind {
    none,
    flip,   ///< one bit of the packet
    lose,   ///< the packet vanishes
    route,  ///< a byte of its route is another
    cut,    ///< the sender's cable carries nothing from then on
  };

  Kind kind = Kind::none;
  Rank sender{};
  std::uint64_t packet = 0;  ///< of that sender, from 0

  /// Throws Error when it makes no sense.
  static Mishap from_environment();

  bool strikes(Rank rank, std::uint64_t number) const {
    return kind != Kind::none && rank == sender &&
           (kind == Kind::cut ? number >= packet : number == packet);
  }
};

}  // namespace earl::myrinet
