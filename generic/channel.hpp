/// What a process keeps for each of its peers.
#pragma once

#include <deque>

#include "generic/bytes.hpp"
#include "generic/header.hpp"

namespace earl {

/// A packet that could not leave yet.
struct Waiting {
  Header header{};
  Buffer payload{};
};

/// What this process knows about one peer.
struct Channel {
  std::uint64_t sent = 0;     ///< user messages to it: the next MessageId::sequence
  std::uint64_t arrived = 0;  ///< user messages from it: the next sequence expected
  std::uint32_t heard = 0;    ///< its receive count, as last piggybacked
  std::uint64_t put = 0;      ///< packets of all kinds that have left for it
  std::uint64_t got = 0;      ///< packets of all kinds that have come from it
  bool spilling = false;      ///< the last packet had to be kept: do not be patient again
  bool gone = false;
  std::deque<Waiting> outbox;  ///< in send order; only on machines that do not keep
};

}  // namespace earl
