// SPDX-License-Identifier: BSD-3-Clause
/// The optional half of a port, where the back end moves a long message from its sender's memory to
/// its receiver's, as one piece.
#pragma once

#include "generic/seams/port.hpp"

namespace earl {

/// Payload of Kind::accept.
struct Accept {
  TransferId transfer{};
  Remote target{};  ///< result of post_direct_receive(); {}: in pieces
};

/// An optional interface of a Port; its calls may also be made inside poll().
class DirectTransfer {
 public:
  /// Some peers at least are reached so. Does not change.
  virtual bool has_direct_transfer() const = 0;
  /// Has `to` filled by one message, as much of it as fits; returns the data that its sender needs
  /// for start_direct_send(), or {}: this one cannot. The memory belongs to the port until
  /// PacketSink::moved() or cancel_direct_receive().
  virtual Remote post_direct_receive(Envelope const& message, TransferId transfer,
                                     Scatter const& to) = 0;
  /// It will not come that way.
  virtual void cancel_direct_receive(Rank from, Remote const& target) = 0;
  /// Begins to move `bytes` to where `to` expects them; never refuses. They are read until
  /// finish_direct_send().
  virtual void start_direct_send(Rank to, Remote const& target, Bytes bytes) = 0;
  /// Returns when the bytes are not read any more; soon, once the receiver has them all.
  virtual void finish_direct_send(Rank to, Remote const& target) = 0;

 protected:
  ~DirectTransfer() = default;
};

/// Null: that port cannot.
inline DirectTransfer* direct_transfer_of(Port* port) {
  auto* const direct = dynamic_cast<DirectTransfer*>(port);
  return direct && direct->has_direct_transfer() ? direct : nullptr;
}

}  // namespace earl
