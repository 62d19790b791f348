// SPDX-License-Identifier: BSD-3-Clause
/// Long messages: offer -> match -> the bytes go straight into the receiver's memory -> done.
///
/// A back end that exposes memory lets the receiver read the sender's bytes itself. A buffered send
/// must not wait for its receiver: it gives it about one hop to begin reading, then has the back
/// end copy the bytes aside. Elsewhere the receiver accepts, and the bytes come whole where the
/// back end moves them from memory to memory (a buffered send then waits as long, and copies them
/// itself), else in pieces.
#pragma once

#include <cstdint>
#include <vector>

#include "generic/channel.hpp"
#include "generic/endpoint.hpp"
#include "generic/operation.hpp"
#include "generic/transfer.hpp"

namespace earl {

class Engine;

class Rendezvous {
 public:
  Rendezvous(Engine& engine, Endpoint& endpoint)
      : engine_(engine), endpoint_(endpoint), port_(*endpoint.port), rank_(endpoint.rank) {}

  // --- at the sender
  /// Offers a message; `request` completes with it, null: nothing waits for it.
  Transfer& offer(Rank dest, Channel& to, Header const& header, Gather const& bytes,
                  Request* request);
  /// Returns when the user's memory is free: the receiver has read it, or a copy has been made.
  void release_buffer(Transfer& transfer);
  /// The send that has this transfer (Request::transfer); null: it is over.
  Transfer* find(std::uint64_t name) { return transfers_.find(name); }
  /// Asks the receiver of a send to give the message back, and waits for the answer.
  void recall(Transfer& transfer, Request& request);
  /// The receiver has all of it, or never will.
  void finish(Transfer& transfer, bool lost);
  /// Calls what(transfer) for each send that is open.
  template <class What>
  void each(What what) {
    transfers_.each(what);
  }
  /// Messages go out in pieces.
  bool is_pushing() const { return !pushing_.empty(); }
  std::size_t push_pieces();
  /// The process leaves: what has been offered goes to memory that outlives it, or to its
  /// receivers.
  void leave();
  /// All that the process has offered is safe without it.
  bool may_leave() const {
    return pushing_.empty() && (endpoint_.limits.remote_readable || open_transfers_ == 0);
  }

  // --- at the receiver
  /// Gets an offered message's bytes into the memory of the receive that matched it. If they are
  /// gone with their sender, a receive of any source's is as it was before the match: see
  /// Receiver::repost_if_unmatched().
  void fetch(Request& request, Rank from, Offer const& offer);
  /// Bytes of long messages are on their way here.
  bool is_receiving() const { return !incoming_.empty(); }

  // --- incoming packets
  void offer_arrived(Envelope const& envelope, MessageId const& id, Bytes payload);
  void accepted(Bytes payload);
  void piece_arrived(Rank from, Bytes payload);
  void done(Bytes payload, Mode taken_as);
  void recalled(Rank from, Bytes payload);
  void recall_granted(Bytes payload);
  void moved(Rank from, TransferId transfer, bool ok);
  /// A peer is gone, and what it has not sent.
  void gone(Rank rank);

 private:
  /// A receive whose bytes are on their way.
  struct Incoming {
    Rank from = no_rank;
    Offer offer{};
    /// Null: no receive has matched it yet, a leaving sender brings it.
    Request* request = nullptr;
    Buffer body{};  ///< then its bytes, as they come
    std::uint64_t got = 0;
    Remote target{};  ///< where the port expects it whole; {}: it comes in pieces
  };

  Transfer* transfer_of(Bytes payload);
  void watch_offer(Transfer& transfer, std::uint64_t name);
  void charge(Transfer& transfer);
  bool wait_for_claim(Transfer& transfer, std::uint64_t name);
  bool claimed(Transfer const& transfer);
  bool copy_out(Transfer& transfer);
  void push(Transfer& transfer);
  Bytes piece_to_push(Transfer& transfer, std::size_t size);
  bool push_piece(Transfer& transfer);

  Incoming* incoming(Rank from, TransferId transfer);
  Incoming* incoming_from(Rank rank);
  void drop_incoming(Request const& request);
  bool join_incoming(Request& request, Rank from, TransferId transfer);
  void accept(Request& request, Rank from, TransferId transfer);
  void fetched(Request& request, Rank from, Offer const& offer, bool ok);
  void keep_early_piece(Rank from, Fragment const& fragment, Bytes bytes);

  Engine& engine_;
  Endpoint& endpoint_;
  Port& port_;
  const Rank rank_;
  Slab<Transfer> transfers_;
  std::size_t open_transfers_ = 0;
  std::vector<Transfer*> pushing_;
  std::vector<Incoming> incoming_;
  bool left_ = false;  ///< nothing waits for receivers any more
};

}  // namespace earl
