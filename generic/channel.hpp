// SPDX-License-Identifier: BSD-3-Clause
/// A process's state for each of its peers.
#pragma once

#include <cstdint>
#include <deque>

#include "generic/base/bytes.hpp"
#include "generic/base/rank_table.hpp"
#include "generic/message/header.hpp"

namespace earl {

/// A packet that could not leave yet.
struct Waiting {
  Header header{};
  Buffer payload{};
};

/// A number of messages, and their charge.
struct MessageCount {
  std::uint64_t bytes = 0;
  std::uint64_t messages = 0;

  MessageCount& operator+=(MessageCount const& more) {
    bytes += more.bytes;
    messages += more.messages;
    return *this;
  }
  MessageCount& operator-=(MessageCount const& less) {
    bytes -= less.bytes;
    messages -= less.messages;
    return *this;
  }
};

/// FlowControl's state for each peer. Sums since the beginning, but for `copies`.
struct Flow {
  MessageCount sent{};          ///< short messages to it
  MessageCount acknowledged{};  ///< of these, those that it has reported as taken
  MessageCount copies{};        ///< long messages to it of which there are copies
  MessageCount taken{};         ///< its short messages that receives here have taken
  std::uint64_t reported = 0;   ///< bytes of `taken` that it knows of

  /// The messages that it has not taken, as far as is known.
  MessageCount outstanding() const {
    MessageCount all = sent;
    all -= acknowledged;
    return all += copies;
  }
};

/// This process's state of one peer.
struct Channel {
  Rank peer = no_rank;
  Channel* next = nullptr;    ///< in the same bucket of the table
  std::uint64_t sent = 0;     ///< user messages to it: the next MessageId::sequence
  std::uint64_t arrived = 0;  ///< user messages from it: the next sequence expected
  std::uint64_t put = 0;      ///< packets of all kinds that have left for it
  std::uint64_t got = 0;      ///< packets of all kinds that have come from it
  std::uint32_t late = 0;     ///< long messages to it that need not wait for it to begin reading
  Flow flow{};
  bool outbox_active =
      false;  ///< the last packet had to be kept, here or by the port: the next wait is none
  bool slow = false;           ///< it did not begin to take the last long message in time
  std::deque<Waiting> outbox;  ///< in send order; only on back ends that do not keep

  /// The id of the message that comes next, whose header has the low 32 bits of its number: packets
  /// of one channel come in send order.
  MessageId next_id(Header const& header) {
    if (space_of(Context{header.context}) != Space::user) return {};
    auto const ahead =
        static_cast<std::int32_t>(header.sequence - static_cast<std::uint32_t>(arrived));
    const std::uint64_t sequence = arrived + static_cast<std::uint64_t>(std::int64_t{ahead});
    arrived = sequence + 1;
    return {Rank{header.source}, sequence};
  }
};

/// A peer's channel is removed when the peer is gone.
using ChannelTable = RankTable<Channel, &Channel::peer>;

}  // namespace earl
