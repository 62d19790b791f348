// SPDX-License-Identifier: BSD-3-Clause
/// Long messages that a link brings whole: the receiver's half, between its port and its link.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "backends/net/link.hpp"
#include "generic/seams/direct_transfer.hpp"

namespace earl::net {

class DirectReceives {
 public:
  explicit DirectReceives(Link& link) : link_(link) {}

  /// Like DirectTransfer::post_direct_receive(). Memory in several pieces gets a copy of the
  /// payload.
  Remote post_direct_receive(Envelope const& message, TransferId transfer, Scatter const& to);
  /// Like DirectTransfer::cancel_direct_receive().
  void cancel_direct_receive(Remote const& target);
  /// Like FrameSink::landed(); notifies the receiver.
  void landed(std::uint64_t number, bool whole, PacketSink& sink);

 private:
  struct DirectReceive {
    Rank from{};
    TransferId transfer{};
    Scatter to{};    ///< the user's memory; empty: the link writes into it itself
    Buffer whole{};  ///< its payload
    bool cancelled = false;
  };

  Link& link_;
  std::unordered_map<std::uint64_t, DirectReceive> all_;
};

}  // namespace earl::net
