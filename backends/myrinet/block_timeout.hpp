// SPDX-License-Identifier: BSD-3-Clause
/// The time for which packets have been blocked in a switch, and their drop after too long a time:
/// 50 ms, as Myrinet's switches had it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "backends/myrinet/switch.hpp"

namespace earl::myrinet {

/// Time is any number that goes up: a switch has no clock.
class BlockTimeout {
 public:
  BlockTimeout(unsigned ports, std::uint64_t most)
      : most_(most), waiting_(ports), stopped_(ports) {}

  /// A packet is dropped where its head is: at `in`, before a port that is held. True: it has been.
  bool look_at_input(Switch& box, unsigned in, std::uint64_t now);
  /// Or at a host behind `out` that takes nothing. True: the packet has been cut, and its tail goes
  /// out next.
  bool look_at_host(Switch& box, unsigned out, std::uint64_t now);

  /// When the one that has been blocked for longest will be dropped; none is blocked: nothing.
  std::optional<std::uint64_t> next() const;
  /// For how long packets have been blocked at `port`, in all.
  std::uint64_t blocked(unsigned port) const {
    return waiting_[port].in_all + stopped_[port].in_all;
  }

 private:
  struct Watch {
    std::optional<std::uint64_t> since{};
    std::uint64_t seen = 0;      ///< when it was looked at last
    std::uint64_t progress = 0;  ///< had been so far when it was blocked
    std::uint64_t in_all = 0;
  };
  bool too_long(Watch& watch, bool blocked, std::uint64_t progress, std::uint64_t now) const;

  std::uint64_t const most_;
  std::vector<Watch> waiting_;  ///< by the port that a packet came in by
  std::vector<Watch> stopped_;  ///< by the port that it goes out by
};

}  // namespace earl::myrinet
