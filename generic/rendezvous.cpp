// SPDX-License-Identifier: BSD-3-Clause
/// Long messages: offer -> match -> the bytes go straight into the receiver's memory -> done.
///
/// A machine that exposes memory lets the receiver read the sender's bytes itself. A buffered send
/// must not wait for its receiver: it gives it about one hop to begin reading, then has the machine
/// copy the bytes aside. Elsewhere the receiver accepts, and the bytes come whole where the machine
/// moves them from memory to memory (a buffered send then waits as long, and copies them itself),
/// else in pieces.
#include <algorithm>

#include "generic/engine.hpp"

namespace earl {

namespace {

constexpr auto one_hop = std::chrono::microseconds{20};
/// The approximate rate of copying aside, with the page faults of fresh memory.
constexpr std::size_t bytes_copied_per_microsecond = 4000;

/// Where a copy does not leave before its sender's next call, a receiver gets this long, which is
/// some hops between two hosts, unless it was late with one of the last offers.
constexpr auto long_hop = std::chrono::milliseconds{5};
constexpr std::uint32_t offers_without_patience = 16;

/// How long a receiver may take to begin reading: as long as the copy would take, so that a sender
/// that waits in vain loses no more than it would have lost by not waiting.
std::chrono::microseconds patience_for(std::size_t bytes) {
  return one_hop + std::chrono::microseconds{bytes / bytes_copied_per_microsecond};
}

TransferId name_of(Transfer const& transfer) {
  return TransferId{Slab<Transfer>::name_of(transfer)};
}

}  // namespace

Transfer& Engine::offer(Rank dest, Channel& to, Header const& header, Gather const& bytes,
                        Request* request) {
  Transfer& transfer = transfers_.take();
  transfer.dest = dest;
  transfer.request = request;
  transfer.exposed = limits_.exposes;
  transfer.pushing = transfer.brought = false;
  transfer.pushed = transfer.packed_to = transfer.charge = 0;
  ++open_transfers_;
  bool const borrow = bytes.contiguous() && (request || limits_.exposes || mover_);
  bool const pack_late = !bytes.contiguous() && request && !mover_ && packs_late();
  if (pack_late) transfer.exposed = false;
  transfer.remote = {};
  transfer.settled = !borrow && !limits_.exposes && !pack_late;
  if (pack_late) {
    transfer.scattered = bytes;
  } else if (borrow) {
    transfer.bytes = bytes.only();
  } else {
    transfer.own = Buffer{bytes};
    transfer.bytes = transfer.own.bytes();
    charge(transfer);
  }
  if (transfer.exposed) transfer.remote = port_->expose(name_of(transfer), transfer.bytes);
  const Offer offer{name_of(transfer), transfer.remote};
  put_in_order(dest, to, header, bytes_of(offer));
  return transfer;
}

/// Returns when the user's memory is free: the receiver has read it, or a copy has been made.
void Engine::release_buffer(Transfer& transfer) {
  const std::uint64_t name = Slab<Transfer>::name_of(transfer);
  if (transfer.settled) return watch_offer(transfer, name);
  auto over = [&] { return transfers_.find(name) == nullptr; };
  if (!claimed_soon(transfer, name) && !over()) transfer.settled = settle(transfer);
  const Rank dest = transfer.dest;
  wait_until([&] { return over() || transfer.settled || port_->ended(dest); },
             {.kind = OpKind::send});
  if (!over() && !transfer.settled) finish(transfer, true);
}

/// A copy that leaves only while this process calls Earl, and a receiver that may be waiting for
/// it: the program may compute for long after this call. Ends when nothing moves for a while.
void Engine::watch_offer(Transfer& transfer, std::uint64_t name) {
  if (limits_.keeps || !claimed_soon(transfer, name)) return;
  for (Deadline deadline = Clock::now() + long_hop;
       transfers_.find(name) && Clock::now() < deadline;) {
    if (pump() != 0)
      deadline = Clock::now() + long_hop;
    else
      port_->wait(deadline);
  }
}

/// Whether its receiver has begun to take it.
bool Engine::claimed(Transfer const& transfer) {
  if (transfer.exposed) return port_->claimed(transfer.remote);
  return transfer.pushing || transfer.brought;
}

/// False: the user's memory is being read right now.
bool Engine::settle(Transfer& transfer) {
  if (transfer.exposed ? !port_->settle(transfer.remote) : claimed(transfer)) return false;
  if (!transfer.exposed) {
    transfer.own = transfer.scattered.empty() ? Buffer{Gather{transfer.bytes}}
                                              : Buffer{std::exchange(transfer.scattered, {})};
    transfer.bytes = transfer.own.bytes();
  }
  charge(transfer);
  return true;
}

/// There is a copy of the bytes now.
void Engine::charge(Transfer& transfer) {
  if (transfer.charge != 0) return;
  transfer.charge = charge_of(transfer.size());
  flow_.copied(channel(transfer.dest), transfer.charge);
}

/// Gives a receiver that is waiting right now the time to begin reading.
bool Engine::claimed_soon(Transfer& transfer, std::uint64_t name) {
  if (left_) return false;
  Channel& to = channel(transfer.dest);
  auto limit = patience_for(transfer.size());
  bool const trusted = !limits_.keeps && to.late == 0;
  if (to.late != 0) --to.late;
  if (trusted) limit = std::max<Microseconds>(limit, long_hop);
  const Deadline deadline = limits_.turns ? Deadline{} : Clock::now() + limit;
  while (transfers_.find(name) && !claimed(transfer)) {
    bool const late = Clock::now() >= deadline;
    if (late && !limits_.turns) {
      if (trusted) to.late = offers_without_patience;
      return false;
    }
    if (pump() == 0) port_->wait(trusted ? deadline : Deadline{});
    if (late) return !transfers_.find(name) || claimed(transfer);
  }
  return true;
}

Transfer* Engine::transfer_of(Bytes payload) {
  return transfers_.find(static_cast<std::uint64_t>(from_bytes<TransferId>(payload)));
}

/// The receiver could not reach the bytes itself.
void Engine::accepted(Bytes payload) {
  auto const accept = from_bytes<Accept>(payload);
  auto* const found = transfers_.find(static_cast<std::uint64_t>(accept.transfer));
  if (!found) return;
  Transfer& transfer = *found;
  if (transfer.exposed) {
    if (!transfer.settled) transfer.settled = port_->settle(transfer.remote);
    const Offer again{name_of(transfer), transfer.remote};
    return put_protocol(transfer.dest, Kind::offer, bytes_of(again));
  }
  if (!mover_ || accept.landing.where == 0) return push(transfer);
  if (transfer.pushing || transfer.brought) return;
  transfer.brought = true;
  transfer.remote = accept.landing;
  mover_->bring(transfer.dest, accept.landing, transfer.bytes);
}

void Engine::push(Transfer& transfer) {
  if (transfer.pushing || transfer.brought) return;
  transfer.pushing = true;
  pushing_.push_back(&transfer);
}

std::size_t Engine::push_pieces() {
  std::size_t sent = 0;
  for (std::size_t i = pushing_.size(); i-- > 0;) {
    Transfer& transfer = *pushing_[i];
    // Data that a leaving process brings unasked must not come before its offer.
    if (!channel(transfer.dest).outbox.empty()) continue;
    bool room = true;
    do {
      room = push_piece(transfer);
      sent += room ? 1U : 0U;
    } while (room && transfer.pushed < transfer.size());
    if (!room) continue;
    std::swap(pushing_[i], pushing_.back());
    pushing_.pop_back();
  }
  return sent;
}

/// Packed once, though it may take several attempts to leave.
Bytes Engine::piece_to_push(Transfer& transfer, std::size_t size) {
  if (transfer.scattered.empty()) return transfer.bytes.subspan(transfer.pushed, size);
  if (transfer.packed.empty()) transfer.packed = Buffer{size};
  if (transfer.packed_to != transfer.pushed + size) {
    copy(transfer.scattered, transfer.packed.room().first(size), transfer.pushed);
    transfer.packed_to = transfer.pushed + size;
  }
  return transfer.packed.bytes().first(size);
}

/// False: no room. A message of no bytes is one piece of none.
bool Engine::push_piece(Transfer& transfer) {
  const std::size_t most = limits_.packet - sizeof(Fragment);
  const std::size_t size = std::min<std::size_t>(most, transfer.size() - transfer.pushed);
  const Fragment fragment{name_of(transfer), transfer.pushed};
  const std::array<Bytes, 2> parts{bytes_of(fragment), piece_to_push(transfer, size)};
  const Header header = header_of(Kind::data, {.source = rank_,
                                               .dest = transfer.dest,
                                               .context = context_of(Space::control, 0),
                                               .length = transfer.size()});
  if (!port_->put(transfer.dest, header, Gather{std::span<const Bytes>{parts}})) return false;
  ++channel(transfer.dest).put;
  transfer.pushed += size;
  return true;
}

/// The receiver has all of it, or never will.
void Engine::finish(Transfer& transfer, bool lost) {
  if (transfer.exposed) port_->unexpose(transfer.remote);
  if (transfer.brought) mover_->let_go(transfer.dest, transfer.remote);
  if (transfer.pushing) std::erase(pushing_, &transfer);
  if (transfer.request) {
    transfer.request->result.lost = lost;
    finished(*transfer.request);
  }
  transfer.request = nullptr;
  transfer.own = {};
  transfer.scattered = {};
  transfer.packed = {};
  // With a peer that is gone, all that was charged is.
  if (Channel* const to = channels_.find(transfer.dest); to && transfer.charge != 0)
    flow_.released(*to, transfer.charge);
  --open_transfers_;
  transfers_.give_back(transfer);
}

void Engine::offer_arrived(Envelope const& envelope, MessageId const& id, Bytes payload) {
  const Offer offer = from_bytes<Offer>(payload);
  if (auto* known = incoming(envelope.source, offer.transfer); known && known->request) {
    Request& request = *known->request;
    std::erase_if(incoming_, [&](Incoming const& one) { return one.request == &request; });
    fetch(request, envelope.source, offer);
    return repost_if_unmatched(request);
  }
  if (space_of(envelope.context) == Space::control)
    return;  // a second offer of a cancelled
             // message
  if (steered_ && undone(envelope, id)) [[unlikely]]
    return put_protocol(envelope.source, Kind::done, bytes_of(offer.transfer));
  if (Request* const request = matched(envelope, id)) {
    fetch(*request, envelope.source, offer);
    return repost_if_unmatched(*request);
  }
  handlers_.arrived(unexpected_.add_offer(envelope, id, offer));
}

/// The sender wants an offer back. If a receive has matched it, `done` is on its way.
void Engine::recalled(Rank from, Bytes payload) {
  auto const transfer = from_bytes<TransferId>(payload);
  Arrival* const arrival = unexpected_.find_offer(from, transfer);
  if (!arrival) return;
  unexpected_.remove(*arrival);
  put_protocol(from, Kind::recalled, bytes_of(transfer));
}

/// Gets an offered message's bytes into the memory of the receive that matched it. If they are gone
/// with their sender, see lose().
void Engine::fetch(Request& request, Rank from, Offer const& offer) {
  if (request.take && request.body.empty()) {
    request.body = Buffer(request.result.envelope.length);
    request.room = Scatter{request.body.room()};
  }
  if (request.result.envelope.length == 0) return fetched(request, from, offer, true);
  if (has_nothing_left(from)) return fetched(request, from, offer, false);
  request.state = Request::State::moving;
  if (!join_incoming(request, from, offer.transfer))
    incoming_.push_back({.from = from, .offer = offer, .request = &request});
  switch (port_->pull(from, offer, request.room)) {
    case Pulled::done:
      return fetched(request, from, offer, true);
    case Pulled::gone:
      return fetched(request, from, offer, false);
    case Pulled::under_way:
      return;
    case Pulled::cannot:
      return accept(request, from, offer.transfer);
  }
}

/// The bytes of messages that a peer which is gone has offered and no receive has matched: the back
/// end gives its memory to others. Messages that it did not copy before its end are lost.
void Engine::fetch_offers(Rank gone) {
  for (Arrival* const arrival : unexpected_.offers_of(gone)) {
    Buffer body(arrival->envelope.length);
    if (body.empty() || port_->pull(gone, arrival->offer(), Scatter{body.room()}) == Pulled::done)
      unexpected_.fill(*arrival, std::move(body));
  }
}

/// A message that already comes in pieces does not come whole.
void Engine::accept(Request& request, Rank from, TransferId transfer) {
  Incoming& one = *incoming(from, transfer);
  if (mover_ && one.got == 0)
    one.landing = mover_->expect(request.result.envelope, transfer, request.room);
  put_protocol(from, Kind::accept, bytes_of(Accept{transfer, one.landing}));
}

/// A receive takes over the data that a leaving sender has brought so far. False: none.
bool Engine::join_incoming(Request& request, Rank from, TransferId transfer) {
  Incoming* const begun = incoming(from, transfer);
  if (!begun) return false;
  copy(begun->body.bytes().first(begun->got), request.room);
  begun->request = &request;
  begun->body = {};
  return true;
}

void Engine::fetched(Request& request, Rank from, Offer const& offer, bool ok) {
  if (auto const* one = incoming(from, offer.transfer); one && one->landing.where != 0)
    mover_->forget(from, one->landing);
  std::erase_if(incoming_, [&](Incoming const& one) { return one.request == &request; });
  if (!ok) return lose(request);
  const std::uint64_t length = request.result.envelope.length;
  request.result.delivered = std::min<std::uint64_t>(length, request.room.size());
  request.result.truncated = length > request.room.size();
  complete(request);
  put_protocol(from, Kind::done, bytes_of(offer.transfer), request.spec.mode);
}

/// The matched message is gone with its sender. A receive that takes any source's is as it was
/// before the match, and not in the queue: the caller goes on with repost_if_unmatched(). Another
/// one is complete, without a message.
void Engine::lose(Request& request) {
  bool const posted = request.way != Request::Way::chosen;
  if (watch_ && user_visible(request.spec))
    notify_debugger_of_loss({.kind = posted ? OpKind::receive : OpKind::try_receive,
                             .post = posted ? request.post : 0,
                             .spec = request.spec,
                             .contested = handlers_.contested()},
                            request.result.id);
  if (request.way != Request::Way::any_source) {
    request.result.lost = true;
    return complete(request);
  }
  if (request.take) {
    request.body = {};
    request.room = {};
  }
  request.result = {.receive = true};
  request.state = Request::State::posted;
}

void Engine::notify_debugger_of_loss(ReceiveOp const& op, MessageId const& id) {
  watch_->lost(op, id);
}

/// An offer whose sender has ended: the readable data is brought here. True: there is none, and no
/// such message any more.
bool Engine::lost_with_sender(Arrival& arrival) {
  const Rank from = arrival.envelope.source;
  const Offer offer = arrival.offer();
  if (waits_for_readers()) return false;
  bool const gone = has_nothing_left(from);
  if (!gone && !(limits_.exposes && port_->ended(from))) return false;
  Pulled pulled = Pulled::cannot;
  if (!gone) {
    Buffer body{arrival.envelope.length};
    pulled = port_->pull(from, offer, Scatter{body.room()});
    if (pulled == Pulled::done) {
      unexpected_.fill(arrival, std::move(body));
      put_protocol(from, Kind::done, bytes_of(offer.transfer));
      return false;
    }
  }
  if (pulled == Pulled::cannot && !gone) return false;
  if (watch_ && space_of(arrival.envelope.context) == Space::user)
    notify_debugger_of_loss({.kind = OpKind::try_probe}, arrival.id);
  unexpected_.remove(arrival);
  return true;
}

/// The oldest message that fits and has not died with its sender.
Arrival* Engine::find_whole(MatchSpec const& spec) {
  Arrival* found = unexpected_.find(spec);
  while (found && found->offered && lost_with_sender(*found)) found = unexpected_.find(spec);
  return found;
}

void Engine::moved(Rank from, TransferId transfer, bool ok) {
  auto* const one = incoming(from, transfer);
  if (!one || !one->request) return;
  one->landing = {};
  Request& request = *one->request;
  fetched(request, from, Offer{one->offer}, ok);
  repost_if_unmatched(request);
}

Engine::Incoming* Engine::incoming(Rank from, TransferId transfer) {
  for (auto& one : incoming_)
    if (one.from == from && one.offer.transfer == transfer) return &one;
  return nullptr;
}

Engine::Incoming* Engine::incoming_from(Rank rank) {
  for (auto& one : incoming_)
    if (one.from == rank) return &one;
  return nullptr;
}

void Engine::piece_arrived(Rank from, Bytes payload) {
  const Fragment fragment = from_bytes<Fragment>(payload);
  const Bytes bytes = payload.subspan(sizeof fragment);
  Incoming* const one = incoming(from, fragment.transfer);
  if (!one || !one->request) return keep_early_piece(from, fragment, bytes);
  copy(bytes, one->request->room, fragment.offset);
  one->got += bytes.size();
  if (one->got < one->request->result.envelope.length) return;
  fetched(*one->request, from, Offer{one->offer}, true);
}

/// A piece of a message that no receive has matched: its sender is leaving. With the last one the
/// message waits here, whole, and the sender may go.
void Engine::keep_early_piece(Rank from, Fragment const& fragment, Bytes bytes) {
  Arrival* const arrival = unexpected_.find_offer(from, fragment.transfer);
  if (!arrival) return;
  const std::uint64_t length = arrival->envelope.length;
  Incoming* one = incoming(from, fragment.transfer);
  if (!one) {
    incoming_.push_back({.from = from, .offer = arrival->offer(), .body = Buffer(length)});
    one = &incoming_.back();
  }
  copy(bytes, Scatter{one->body.room()}, fragment.offset);
  one->got += bytes.size();
  if (one->got < length) return;
  unexpected_.fill(*arrival, std::move(one->body));
  incoming_.erase(incoming_.begin() + (one - incoming_.data()));
  put_protocol(from, Kind::done, bytes_of(fragment.transfer));
}

}  // namespace earl
