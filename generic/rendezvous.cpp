// SPDX-License-Identifier: BSD-3-Clause
#include "generic/rendezvous.hpp"

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
constexpr std::uint32_t offers_without_wait = 16;

/// The longest time until a receiver begins to read: as long as the copy would take, so that a
/// sender that waits for nothing loses no more than it would have lost by not waiting.
std::chrono::microseconds claim_wait_for(std::size_t bytes) {
  return one_hop + std::chrono::microseconds{bytes / bytes_copied_per_microsecond};
}

TransferId name_of(Transfer const& transfer) {
  return TransferId{Slab<Transfer>::name_of(transfer)};
}

}  // namespace

Transfer& Rendezvous::offer(Rank dest, Channel& to, Header const& header, Gather const& bytes,
                            Request* request) {
  Transfer& transfer = transfers_.take();
  transfer.dest = dest;
  transfer.context = Context{header.context};
  transfer.sequence = header.sequence;
  transfer.request = request;
  transfer.exposed = endpoint_.limits.remote_readable;
  transfer.pushing = transfer.brought = false;
  transfer.pushed = transfer.packed_to = transfer.charge = 0;
  ++open_transfers_;
  bool const borrow = bytes.contiguous() &&
                      (request || endpoint_.limits.remote_readable || endpoint_.direct_transfer);
  bool const pack_late =
      !bytes.contiguous() && request && !endpoint_.direct_transfer && endpoint_.packs_late();
  if (pack_late) transfer.exposed = false;
  transfer.remote = {};
  transfer.copied = !borrow && !endpoint_.limits.remote_readable && !pack_late;
  if (pack_late) {
    transfer.scattered = bytes;
  } else if (borrow) {
    transfer.bytes = bytes.only();
  } else {
    transfer.own = Buffer{bytes};
    transfer.bytes = transfer.own.bytes();
    charge(transfer);
  }
  if (transfer.exposed) transfer.remote = port_.expose(name_of(transfer), transfer.bytes);
  const Offer offer{name_of(transfer), transfer.remote};
  engine_.outbound().put_in_order(dest, to, header, bytes_of(offer));
  return transfer;
}

void Rendezvous::release_buffer(Transfer& transfer) {
  const std::uint64_t name = Slab<Transfer>::name_of(transfer);
  if (transfer.copied) return watch_offer(transfer, name);
  auto over = [&] { return transfers_.find(name) == nullptr; };
  if (!wait_for_claim(transfer, name) && !over()) transfer.copied = copy_out(transfer);
  const Rank dest = transfer.dest;
  engine_.wait_until([&] { return over() || transfer.copied || port_.ended(dest); },
                     {.kind = OpKind::send});
  if (!over() && !transfer.copied) finish(transfer, true);
}

/// A copy that leaves only while this process calls Earl, and a receiver that may be waiting for
/// it: the program may compute for long after this call. Ends when nothing moves for a while.
void Rendezvous::watch_offer(Transfer& transfer, std::uint64_t name) {
  if (endpoint_.limits.packets_outlive_sender || !wait_for_claim(transfer, name)) return;
  for (Deadline deadline = Clock::now() + long_hop;
       transfers_.find(name) && Clock::now() < deadline;) {
    if (engine_.pump() != 0)
      deadline = Clock::now() + long_hop;
    else
      port_.wait(deadline);
  }
}

/// Whether its receiver has begun to take it.
bool Rendezvous::claimed(Transfer const& transfer) {
  if (transfer.exposed) return port_.claimed(transfer.remote);
  return transfer.pushing || transfer.brought;
}

/// False: the user's memory is being read right now.
bool Rendezvous::copy_out(Transfer& transfer) {
  if (transfer.exposed ? !port_.copy_exposed(transfer.remote) : claimed(transfer)) return false;
  if (!transfer.exposed) {
    transfer.own = transfer.scattered.empty() ? Buffer{Gather{transfer.bytes}}
                                              : Buffer{std::exchange(transfer.scattered, {})};
    transfer.bytes = transfer.own.bytes();
  }
  charge(transfer);
  return true;
}

/// There is a copy of the bytes now.
void Rendezvous::charge(Transfer& transfer) {
  if (transfer.charge != 0) return;
  transfer.charge = charge_of(transfer.size());
  engine_.outbound().flow().copied(engine_.peers().channel(transfer.dest), transfer.charge);
}

/// Gives a receiver that is waiting right now the time to begin reading.
bool Rendezvous::wait_for_claim(Transfer& transfer, std::uint64_t name) {
  if (left_) return false;
  Channel& to = engine_.peers().channel(transfer.dest);
  auto limit = claim_wait_for(transfer.size());
  // Where the port keeps nothing a copy costs more; a receiver that was late once is not waited for
  // the next times.
  bool const trusted = !endpoint_.limits.packets_outlive_sender && to.late == 0;
  if (to.late != 0) --to.late;
  if (trusted) limit = std::max<std::chrono::microseconds>(limit, long_hop);
  const Deadline deadline = endpoint_.limits.fair_turns ? Deadline{} : Clock::now() + limit;
  while (transfers_.find(name) && !claimed(transfer)) {
    bool const late = Clock::now() >= deadline;
    if (late && !endpoint_.limits.fair_turns) {
      if (trusted) to.late = offers_without_wait;
      return false;
    }
    if (engine_.pump() == 0) port_.wait(trusted ? deadline : Deadline{});
    if (late) return !transfers_.find(name) || claimed(transfer);
  }
  return true;
}

void Rendezvous::recall(Transfer& transfer, Request& request) {
  const Rank dest = transfer.dest;
  engine_.outbound().put_protocol(dest, Kind::recall, bytes_of(name_of(transfer)));
  engine_.wait_until([&] { return request.complete() || port_.ended(dest); },
                     {.request = &request});
  if (!request.complete()) finish(transfer, true);
}

void Rendezvous::leave() {
  left_ = true;
  transfers_.each([&](Transfer& transfer) {
    if (!transfer.exposed)
      push(transfer);
    else if (!transfer.copied)
      release_buffer(transfer);
  });
}

void Rendezvous::gone(Rank rank) {
  while (auto* const one = incoming_from(rank)) {
    Request* const request = one->request;
    if (!request) {  // a part of a message without a receive: the rest will not come
      incoming_.erase(incoming_.begin() + (one - incoming_.data()));
      continue;
    }
    const Offer offer = one->offer;
    // It could not be read while the sender lived, but that may have put a copy aside since.
    bool const there = port_.pull(rank, offer, request->room) == Pulled::done;
    fetched(*request, rank, offer, there);
    engine_.receiver().repost_if_unmatched(*request);
  }
  transfers_.each([&](Transfer& transfer) {
    if (transfer.dest == rank) finish(transfer, true);
  });
}

Transfer* Rendezvous::transfer_of(Bytes payload) {
  return transfers_.find(static_cast<std::uint64_t>(from_bytes<TransferId>(payload)));
}

/// The receiver could not reach the bytes itself.
void Rendezvous::accepted(Bytes payload) {
  auto const accept = from_bytes<Accept>(payload);
  auto* const found = transfers_.find(static_cast<std::uint64_t>(accept.transfer));
  if (!found) return;
  Transfer& transfer = *found;
  if (transfer.exposed) {
    if (!transfer.copied) transfer.copied = port_.copy_exposed(transfer.remote);
    const Offer again{name_of(transfer), transfer.remote};
    return engine_.outbound().put_protocol(transfer.dest, Kind::offer, bytes_of(again));
  }
  if (!endpoint_.direct_transfer || accept.target.where == 0) return push(transfer);
  if (transfer.pushing || transfer.brought) return;
  transfer.brought = true;
  transfer.remote = accept.target;
  endpoint_.direct_transfer->start_direct_send(transfer.dest, accept.target, transfer.bytes);
}

void Rendezvous::push(Transfer& transfer) {
  if (transfer.pushing || transfer.brought) return;
  transfer.pushing = true;
  pushing_.push_back(&transfer);
}

std::size_t Rendezvous::push_pieces() {
  std::size_t sent = 0;
  for (std::size_t i = pushing_.size(); i-- > 0;) {
    Transfer& transfer = *pushing_[i];
    // Data that a leaving process brings unasked must not come before its offer.
    if (!engine_.peers().channel(transfer.dest).outbox.empty()) continue;
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
Bytes Rendezvous::piece_to_push(Transfer& transfer, std::size_t size) {
  if (transfer.scattered.empty()) return transfer.bytes.subspan(transfer.pushed, size);
  if (transfer.packed.empty()) transfer.packed = Buffer{size};
  if (transfer.packed_to != transfer.pushed + size) {
    copy(transfer.scattered, transfer.packed.room().first(size), transfer.pushed);
    transfer.packed_to = transfer.pushed + size;
  }
  return transfer.packed.bytes().first(size);
}

/// False: no room. A message of no bytes is one piece of none.
bool Rendezvous::push_piece(Transfer& transfer) {
  const std::size_t most = endpoint_.limits.packet - sizeof(Fragment);
  const std::size_t size = std::min<std::size_t>(most, transfer.size() - transfer.pushed);
  const Fragment fragment{name_of(transfer), transfer.pushed};
  const std::array<Bytes, 2> parts{bytes_of(fragment), piece_to_push(transfer, size)};
  const Header header = header_of(Kind::data, {.source = rank_,
                                               .dest = transfer.dest,
                                               .context = context_of(Space::control, 0),
                                               .length = transfer.size()});
  if (!port_.put(transfer.dest, header, Gather{std::span<const Bytes>{parts}})) return false;
  ++engine_.peers().channel(transfer.dest).put;
  transfer.pushed += size;
  return true;
}

void Rendezvous::finish(Transfer& transfer, bool lost) {
  if (transfer.exposed) port_.unexpose(transfer.remote);
  if (transfer.brought)
    endpoint_.direct_transfer->finish_direct_send(transfer.dest, transfer.remote);
  if (transfer.pushing) std::erase(pushing_, &transfer);
  if (transfer.request) {
    transfer.request->result.lost = lost;
    engine_.requests().finished(*transfer.request);
  }
  transfer.request = nullptr;
  transfer.own = {};
  transfer.scattered = {};
  transfer.packed = {};
  // With a peer that is gone, all that was charged is.
  if (Channel* const to = engine_.peers().find(transfer.dest); to && transfer.charge != 0)
    engine_.outbound().flow().released(*to, transfer.charge);
  --open_transfers_;
  transfers_.release(transfer);
}

void Rendezvous::offer_arrived(Envelope const& envelope, MessageId const& id, Bytes payload) {
  const Offer offer = from_bytes<Offer>(payload);
  if (auto* known = incoming(envelope.source, offer.transfer); known && known->request) {
    Request& request = *known->request;
    drop_incoming(request);
    fetch(request, envelope.source, offer);
    return engine_.receiver().repost_if_unmatched(request);
  }
  if (space_of(envelope.context) == Space::control)
    return;  // a second offer of a cancelled
             // message
  if (engine_.receiver().undone(envelope, id)) [[unlikely]]
    return engine_.outbound().put_protocol(envelope.source, Kind::done, bytes_of(offer.transfer));
  if (Request* const request = engine_.receiver().matched(envelope, id)) {
    fetch(*request, envelope.source, offer);
    return engine_.receiver().repost_if_unmatched(*request);
  }
  engine_.receiver().queue_offer(envelope, id, offer);
}

void Rendezvous::done(Bytes payload, Mode taken_as) {
  Transfer* const transfer = transfer_of(payload);
  if (!transfer) return;
  if (transfer->request) transfer->request->result.taken_as = taken_as;
  finish(*transfer, false);
}

void Rendezvous::recall_granted(Bytes payload) {
  Transfer* const transfer = transfer_of(payload);
  if (!transfer) return;
  if (transfer->request) transfer->request->result.cancelled = true;
  finish(*transfer, false);
}

/// The sender wants an offer back. If a receive has matched it, `done` is on its way.
void Rendezvous::recalled(Rank from, Bytes payload) {
  auto const transfer = from_bytes<TransferId>(payload);
  Arrival* const arrival = engine_.receiver().unexpected().find_offer(from, transfer);
  if (!arrival) return;
  engine_.receiver().unexpected().remove(*arrival);
  engine_.outbound().put_protocol(from, Kind::recalled, bytes_of(transfer));
}

void Rendezvous::fetch(Request& request, Rank from, Offer const& offer) {
  if (request.take && request.body.empty()) {
    request.body = Buffer(request.result.envelope.length);
    request.room = Scatter{request.body.room()};
  }
  if (request.result.envelope.length == 0) return fetched(request, from, offer, true);
  if (engine_.peers().has_nothing_left(from)) return fetched(request, from, offer, false);
  request.state = Request::State::moving;
  if (!join_incoming(request, from, offer.transfer))
    incoming_.push_back({.from = from, .offer = offer, .request = &request});
  switch (port_.pull(from, offer, request.room)) {
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

/// A message that already comes in pieces does not come whole.
void Rendezvous::accept(Request& request, Rank from, TransferId transfer) {
  Incoming& one = *incoming(from, transfer);
  if (endpoint_.direct_transfer && one.got == 0)
    one.target = endpoint_.direct_transfer->post_direct_receive(request.result.envelope, transfer,
                                                                request.room);
  engine_.outbound().put_protocol(from, Kind::accept, bytes_of(Accept{transfer, one.target}));
}

/// A receive takes over the data that a leaving sender has brought so far. False: none.
bool Rendezvous::join_incoming(Request& request, Rank from, TransferId transfer) {
  Incoming* const begun = incoming(from, transfer);
  if (!begun) return false;
  copy(begun->body.bytes().first(begun->got), request.room);
  begun->request = &request;
  begun->body = {};
  return true;
}

void Rendezvous::fetched(Request& request, Rank from, Offer const& offer, bool ok) {
  if (auto const* one = incoming(from, offer.transfer); one && one->target.where != 0)
    endpoint_.direct_transfer->cancel_direct_receive(from, one->target);
  drop_incoming(request);
  if (!ok) return engine_.receiver().lose(request);
  const std::uint64_t length = request.result.envelope.length;
  request.result.delivered = std::min<std::uint64_t>(length, request.room.size());
  request.result.truncated = length > request.room.size();
  engine_.receiver().complete(request);
  engine_.outbound().put_protocol(from, Kind::done, bytes_of(offer.transfer), request.spec.mode);
}

void Rendezvous::moved(Rank from, TransferId transfer, bool ok) {
  auto* const one = incoming(from, transfer);
  if (!one || !one->request) return;
  one->target = {};
  Request& request = *one->request;
  fetched(request, from, Offer{one->offer}, ok);
  engine_.receiver().repost_if_unmatched(request);
}

Rendezvous::Incoming* Rendezvous::incoming(Rank from, TransferId transfer) {
  for (auto& one : incoming_)
    if (one.from == from && one.offer.transfer == transfer) return &one;
  return nullptr;
}

void Rendezvous::drop_incoming(Request const& request) {
  for (auto one = incoming_.begin(); one != incoming_.end(); ++one)
    if (one->request == &request) return static_cast<void>(incoming_.erase(one));
}

Rendezvous::Incoming* Rendezvous::incoming_from(Rank rank) {
  for (auto& one : incoming_)
    if (one.from == rank) return &one;
  return nullptr;
}

void Rendezvous::piece_arrived(Rank from, Bytes payload) {
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
void Rendezvous::keep_early_piece(Rank from, Fragment const& fragment, Bytes bytes) {
  Arrival* const arrival = engine_.receiver().unexpected().find_offer(from, fragment.transfer);
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
  engine_.receiver().unexpected().fill(*arrival, std::move(one->body));
  incoming_.erase(incoming_.begin() + (one - incoming_.data()));
  engine_.outbound().put_protocol(from, Kind::done, bytes_of(fragment.transfer));
}

}  // namespace earl
