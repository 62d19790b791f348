// SPDX-License-Identifier: BSD-3-Clause
/// A send or a receive under way, inside the core. Front ends see RequestId and Completion.
#pragma once

#include <array>
#include <cstring>

#include "generic/base/chains.hpp"
#include "generic/base/slab.hpp"
#include "generic/handlers.hpp"

namespace earl {

struct Request : Slot {
  enum class State : std::uint8_t {
    posted,  ///< a receive without a message yet
    moving,  ///< the bytes are on their way
    complete,
  };

  /// The way it got its message, and the action when that is lost with its sender.
  enum class Selection : std::uint8_t {
    any_source,    ///< posted: goes back to its place in the queue
    named_source,  ///< posted: fails, because only that sender's message will do
    chosen,        ///< the message was found first, nothing was posted: the caller looks on
  };

  std::array<Link<Request>, 1> links{};
  ChainIndex<Request, 0>::Chain* chain = nullptr;  ///< null while posted among the odd ones
  bool filed = false;                              ///< while posted: in a bucket or among those
  State state = State::posted;
  Selection selection = Selection::any_source;
  bool take = false;     ///< the message is handed over in `body`, `room` is unused
  bool watched = false;  ///< debuggers are notified of its end; false in all that are not in use
  MatchSpec spec{};
  Scatter room{};
  Buffer body{};
  std::uint64_t post = 0;       ///< ReceiveOp::post; user contexts only
  std::uint64_t number = 0;     ///< posting order over all contexts
  std::uint64_t completed = 0;  ///< order of completion
  Completion result{};
  std::uint64_t transfer = 0;  ///< of a send: the Transfer's name
  bool throttled = false;      ///< of a send: it waits only because there was no room
  bool handled = false;        ///< `handler` runs when it is complete; no call waits for it
  CompletionHandler handler{};
  std::uint64_t handler_number = 0;  ///< HandlerOp::handler

  bool complete() const { return state == State::complete; }
};

/// An unexpected message. With many of them every cache line counts: four, and none is
/// shared with another message.
struct alignas(64) Arrival : Slot {
  static constexpr std::size_t inside = 56;  ///< bytes kept without an allocation

  bool offered = false;  ///< the bytes are still at the sender
  bool charged = false;  ///< to the sender, by flow control
  std::array<Link<Arrival>, 4> links{};
  ChainIndex<Arrival, 1>::Chain* by_context = nullptr;
  ChainIndex<Arrival, 2>::Chain* by_tag = nullptr;
  ChainIndex<Arrival, 3>::Chain* by_source = nullptr;
  std::uint64_t number = 0;   ///< order of arrival
  Request* sender = nullptr;  ///< this process's own synchronous send, which waits for a receive
  Envelope envelope{};
  MessageId id{};
  Buffer large{};
  std::array<std::byte, inside> little{};  ///< a short message's bytes, or the offer of a long one

  Offer offer() const {
    Offer offer;
    std::memcpy(&offer, little.data(), sizeof offer);
    return offer;
  }
  Bytes payload() const {
    return envelope.length <= inside ? Bytes{little}.first(envelope.length) : large.bytes();
  }
};
static_assert(sizeof(Arrival) == 256);

}  // namespace earl
