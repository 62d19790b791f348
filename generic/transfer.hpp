// SPDX-License-Identifier: BSD-3-Clause
/// The state of the protocol of long sends; rendezvous.cpp implements it.
#pragma once

#include <cstring>

#include "generic/base/error.hpp"
#include "generic/base/slab.hpp"
#include "generic/request.hpp"
#include "generic/seams/port.hpp"

namespace earl {

/// The start of a protocol packet's payload.
template <class T>
T from_bytes(Bytes payload) {
  if (payload.size() < sizeof(T))
    throw Error("a protocol packet is cut: {} bytes of {}", payload.size(), sizeof(T));
  T value;
  std::memcpy(&value, payload.data(), sizeof value);
  return value;
}

/// A long send whose bytes have not all left: offered to its receiver, or being cut into packets.
struct Transfer : Slot {
  Rank dest = no_rank;
  Context context{};
  std::uint32_t sequence = 0;  ///< Header::sequence
  Bytes bytes{};               ///< the user's memory, or `own`
  /// The user's memory in place of `bytes`, when that is not one piece; packed as it leaves.
  Gather scattered{};
  Buffer packed{};              ///< the piece of it that leaves next
  std::uint64_t packed_to = 0;  ///< where that ends; 0: there is none
  Buffer own{};                 ///< a copy, where the user's memory had to be free
  Remote remote{};              ///< of the exposed memory; of the destination
  bool exposed = false;
  bool copied = false;       ///< the user's memory is free; the back end, or `own`, holds the bytes
  bool pushing = false;      ///< accepted: goes out in pieces
  bool brought = false;      ///< accepted: the port moves it whole
  std::uint64_t pushed = 0;  ///< bytes of it that have left
  std::uint64_t charge = 0;  ///< to flow control, for a copy of the bytes
  std::uint64_t size() const { return scattered.empty() ? bytes.size() : scattered.size(); }

  Request* request = nullptr;  ///< completes with it; null once the sender no longer waits
};

}  // namespace earl
