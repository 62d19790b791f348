/// Long messages that a link brings whole: the receiver's half, between its port and its link.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "backends/myrinet/link.hpp"
#include "generic/mover.hpp"

namespace earl::myrinet {

class Landings {
 public:
  explicit Landings(Link& link) : link_(link) {}

  /// As Mover::expect(). Memory in several pieces gets a copy of what the link brings.
  Remote expect(Envelope const& message, TransferId transfer, Scatter const& to);
  /// As Mover::forget().
  void forget(Remote const& landing);
  /// As FrameSink::landed(); tells who expects it.
  void landed(std::uint64_t number, bool whole, PacketSink& sink);

 private:
  struct Landing {
    Rank from{};
    TransferId transfer{};
    std::vector<Room> pieces{};  ///< the user's memory; empty: the link writes into it itself
    Buffer whole{};              ///< what comes for these pieces
    bool forgotten = false;
  };

  Link& link_;
  std::unordered_map<std::uint64_t, Landing> all_;
};

}  // namespace earl::myrinet
