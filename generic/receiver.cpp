// SPDX-License-Identifier: BSD-3-Clause
/// Arrivals, and receives.
#include <utility>

#include "generic/base/short_copy.hpp"
#include "generic/engine.hpp"

namespace earl {

namespace {

/// The received data; `pieces` holds the list where memory is scattered.
Gather payload_of(Request const& request, std::vector<Bytes>& pieces) {
  if (request.take) return Gather{request.body.bytes()};
  std::size_t left = request.result.delivered;
  if (request.room.contiguous()) return Gather{Bytes{request.room.only()}.first(left)};
  if (request.room.patterned()) {
    // Debuggers see nothing of a partly filled pattern.
    if (left < request.room.size()) return {};
    return {request.room.base(), request.room.pattern()};
  }
  for (auto const& piece : request.room.list()) {
    pieces.push_back(Bytes{piece}.first(std::min(left, piece.size())));
    left -= pieces.back().size();
  }
  return Gather{std::span<const Bytes>{pieces}};
}

std::size_t fill(Scatter const& room, Bytes payload) {
  return room.contiguous() ? copy_short(payload, room.only()) : copy(payload, room);
}

bool user_visible(NarrowSpec const& spec) { return space_of(spec.context()) == Space::user; }
MatchSpec const& whole(MatchSpec const& spec, TooLong) { return spec; }
MatchSpec whole(NarrowSpec const& spec, TooLong too_long) { return spec.spec(too_long); }

void match(Request& request, Envelope const& envelope, MessageId const& id) {
  request.result.envelope = envelope;
  request.result.id.source = id.source;
  request.result.id.sequence = id.sequence;
}

/// A receive that took a message at once.
struct Taken {
  std::uint64_t post = 0;
  Arrival const& arrival;
  Bytes delivered{};
};

[[gnu::noinline]] void notify_of_receipt(Interceptor& debugger, Taken const& taken,
                                         MatchSpec const& spec) {
  debugger.received(
      {.kind = OpKind::receive, .post = taken.post, .spec = spec, .payload = taken.delivered},
      taken.arrival.envelope, taken.arrival.id);
}

[[gnu::noinline]] void notify_of_receipt(Interceptor& debugger, Taken const& taken,
                                         NarrowSpec spec) {
  debugger.received_narrow({.post = taken.post,
                            .spec = spec,
                            .envelope = taken.arrival.envelope,
                            .id = taken.arrival.id,
                            .payload = taken.delivered});
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_packet(Envelope const& envelope,
                                                          std::size_t bytes) {
  throw Error(Fault::bad_length, "a packet from process {} says {} bytes and holds {}",
              number(envelope.source), envelope.length, bytes);
}

}  // namespace

void Receiver::protocol_packet(Header const& header, Bytes payload, Channel& from) {
  const Rank source{header.source};
  Rendezvous& rendezvous = engine_.rendezvous();
  switch (header.packet_kind()) {
    case Kind::offer:
      return rendezvous.offer_arrived(envelope_of(header, rank_), from.next_id(header), payload);
    case Kind::accept:
      return rendezvous.accepted(payload);
    case Kind::data:
      return rendezvous.piece_arrived(source, payload);
    case Kind::done:
      return rendezvous.done(payload, envelope_of(header, rank_).mode);
    case Kind::recall:
      return rendezvous.recalled(source, payload);
    case Kind::recalled:
      return rendezvous.recall_granted(payload);
    case Kind::credit:
      return engine_.outbound().flow().credit(from, from_bytes<MessageCount>(payload));
    case Kind::piggyback: {
      auto const [sequence, word] = from_bytes<Piggyback>(payload);
      if (debugger_) debugger_->piggyback_arrived({source, sequence}, word);
      return;
    }
    case Kind::none:
    case Kind::eager:
      break;
  }
  throw Error("process {} sent a packet of unknown kind {}", header.source,
              static_cast<unsigned>(header.kind));
}

void Receiver::moved(Rank from, TransferId transfer, bool ok) {
  engine_.rendezvous().moved(from, transfer, ok);
}

void Receiver::gone(Rank rank) {
  if (Channel* const channel = engine_.peers().find(rank)) engine_.outbound().close(*channel);
  engine_.rendezvous().gone(rank);
  if (endpoint_.limits.remote_readable && !endpoint_.waits_for_readers()) fetch_offers(rank);
}

void Receiver::on_control_ready() { engine_.exec().poll(); }

void Receiver::queue_offer(Envelope const& envelope, MessageId const& id, Offer const& offer) {
  engine_.handlers().arrived(unexpected_.add_offer(envelope, id, offer));
}

/// Posts a receive: takes the oldest message that fits, or waits in the posted queue.
template <class Spec>
Request& Receiver::post(Spec const& spec, TooLong too_long, Scatter const& room, bool take) {
  Request& request = engine_.requests().take();
  request.spec = whole(spec, too_long);
  request.room = room;
  request.take = take;
  request.selection = request.spec.source == any_rank ? Request::Selection::any_source
                                                      : Request::Selection::named_source;
  request.number = posted_.next_number();
  request.state = Request::State::posted;
  request.result = {.receive = true};
  if (user_visible(spec)) {
    request.post = posts_++;
    if (debugger_) [[unlikely]]
      notify_debugger_of_post(request);
  }
  if (!take_waiting(request)) posted_.add(request);
  return request;
}

void Receiver::notify_debugger_of_post(Request& request) {
  ReceiveOp op{.kind = OpKind::receive,
               .post = request.post,
               .spec = request.spec,
               .asked = &request.spec,
               .contested = engine_.handlers().contested()};
  debugger_->posting(op);
  if (steered_) request.spec = op.spec;
  request.watched = true;
}

/// The oldest message that fits goes to a receive that is not in the queue. False: none is here.
bool Receiver::take_waiting(Request& request) {
  while (Arrival* const arrival = unexpected_.find(request.spec)) {
    if (steered_ && undone(request, arrival->envelope, arrival->id)) [[unlikely]] {
      drop(*arrival);
      if (request.complete()) return true;
      continue;
    }
    match(request, arrival->envelope, arrival->id);
    if (refuse(request)) return true;
    hand(request, *arrival);
    if (request.state != Request::State::posted) return true;
  }
  return false;
}

bool Receiver::undone(Request& request, Envelope const& envelope, MessageId const& id) {
  if (!user_visible(request.spec)) return false;
  const ReceiveOp op{.kind = OpKind::receive,
                     .post = request.post,
                     .spec = request.spec,
                     .contested = engine_.handlers().contested()};
  const MatchOutcome outcome = debugger_->match_outcome(op, id);
  if (outcome == MatchOutcome::taken) return false;
  debugger_->lost(op, id);
  if (outcome == MatchOutcome::vanished) return true;
  match(request, envelope, id);
  request.result.lost = true;
  complete(request);
  return true;
}

/// The same for one that arrives.
bool Receiver::undo_arrival(Envelope const& envelope, MessageId const& id) {
  Request* const request = posted_.find(envelope, id);
  if (!request || !undone(*request, envelope, id)) return false;
  if (request->complete()) posted_.remove(*request);
  return true;
}

bool Receiver::refuse(Request& request) {
  if (request.take || request.spec.too_long != TooLong::refuse ||
      request.result.envelope.length <= request.room.size())
    return false;
  request.result.refused = true;
  complete(request);
  return true;
}

void Receiver::notify_debugger_of_match(Request const& request) {
  if (request.selection == Request::Selection::chosen || request.result.lost) return;
  std::vector<Bytes> pieces;
  debugger_->matched({.kind = OpKind::receive,
                      .post = request.post,
                      .spec = request.spec,
                      .contested = engine_.handlers().contested(),
                      .payload = request.result.refused ? Gather{} : payload_of(request, pieces)},
                     request.result.envelope, request.result.id);
}

void Receiver::deliver(Request& request, Bytes payload) {
  if (request.take)
    request.body = Buffer{Gather{payload}};
  else
    request.result.delivered = fill(request.room, payload);
  request.result.truncated = !request.take && request.result.delivered < payload.size();
  complete(request);
}

void Receiver::hand(Request& request, Arrival& arrival) {
  if (arrival.sender) [[unlikely]] {
    arrival.sender->result.taken_as = request.spec.mode;
    engine_.requests().finished(*std::exchange(arrival.sender, nullptr));
  }
  if (arrival.offered) {
    const Offer offer = arrival.offer();
    const Rank from = arrival.envelope.source;
    unexpected_.remove(arrival);
    return engine_.rendezvous().fetch(request, from, offer);
  }
  if (request.take && !arrival.large.empty()) {
    request.body = std::move(arrival.large);
    complete(request);
  } else {
    deliver(request, arrival.payload());
  }
  remove(arrival);
}

void Receiver::complete(Request& request) {
  if (user_visible(request.spec)) {
    if (!request.result.refused && !request.result.lost) ++receives_;
    if (debugger_) [[unlikely]]
      notify_debugger_of_match(request);
  }
  engine_.requests().finished(request);
}

/// Sums: nothing depends on how many of these reports there are, or when they come.
void Receiver::report_taken(Channel& from) {
  from.flow.reported = from.flow.taken.bytes;
  if (from.peer == rank_) return engine_.outbound().flow().credit(from, from.flow.taken);
  if (engine_.outbound().flow().limit() != 0 && !port_.ended(from.peer))
    engine_.outbound().put_protocol(from.peer, Kind::credit, bytes_of(from.flow.taken));
}

void Receiver::remove(Arrival& arrival) {
  Channel* const from = arrival.charged ? engine_.peers().find(arrival.envelope.source) : nullptr;
  const std::uint64_t length = arrival.envelope.length;
  unexpected_.remove(arrival);
  if (from) [[likely]]
    taken(*from, length);
}

/// `envelope` is a function that gives the envelope.
template <class GiveEnvelope>
Request* Receiver::matched_with(GiveEnvelope const& envelope, MessageId const& id) {
  Request* const request = posted_.find(envelope(), id);
  if (!request) return nullptr;
  posted_.remove(*request);
  match(*request, envelope(), id);
  return refuse(*request) ? nullptr : request;
}

template <class GiveEnvelope>
Arrival* Receiver::arrived_with(GiveEnvelope const& envelope, MessageId const& id, Bytes payload) {
  if (payload.size() != envelope().length) [[unlikely]]
    refuse_packet(envelope(), payload.size());
  if (steered_ && undone(envelope(), id)) [[unlikely]]
    return nullptr;
  if (Request* const request = matched_with(envelope, id)) {
    deliver(*request, payload);
    return nullptr;
  }
  Arrival& queued = unexpected_.add(envelope(), id, payload);
  engine_.handlers().arrived(queued);
  return &queued;
}

/// Flat, as receive() and send(): with a short message, calls would cost more than they do.
[[gnu::flatten]] void Receiver::packet(Header const& header, Bytes payload) {
  const Rank source{header.source};
  Channel& from = engine_.peers().channel_from(source);
  ++from.got;
  if (header.packet_kind() != Kind::eager) [[unlikely]]
    return protocol_packet(header, payload, from);
  // Made anew for each use: a CPU cannot copy one soon after its members have been written.
  auto const envelope = [&] { return envelope_of(header, rank_); };
  if (Arrival* const queued = arrived_with(envelope, from.next_id(header), payload))
    queued->charged = true;
  else
    taken(from, payload.size());
}

Request* Receiver::matched(Envelope const& envelope, MessageId const& id) {
  return matched_with([&]() -> Envelope const& { return envelope; }, id);
}

Arrival* Receiver::arrived(Envelope const& envelope, MessageId const& id, Bytes payload) {
  return arrived_with([&]() -> Envelope const& { return envelope; }, id, payload);
}

[[gnu::flatten]] Completion Receiver::receive(MatchSpec const& spec, Scatter const& room) {
  if (Arrival* const arrival = first_matching_arrival(spec, room, spec.too_long))
    return accept_arrival(*arrival, spec, room);
  if (!direct_ && engine_.handlers().has_filters() && user_visible(spec)) [[unlikely]]
    return engine_.prober().receive_any_of(std::span{&spec, 1}, room).second;
  return receive_posted(spec, spec.too_long, room);
}

template <class Spec>
Completion Receiver::receive_posted(Spec const& spec, TooLong too_long, Scatter const& room) {
  Request& request = post(spec, too_long, room, false);
  Engine& engine = engine_;  // a local: not to be loaded again after each call
  engine.wait_running_handlers([&] { return request.complete(); }, {.request = &request});
  return engine.requests().release(request);
}

[[gnu::flatten]] Completion Receiver::receive_narrow(NarrowSpec spec, Scatter const& room,
                                                     TooLong too_long) {
  if (Arrival* const arrival = first_matching_arrival(spec, room, too_long))
    return accept_arrival(*arrival, spec, room);
  if (!direct_ && engine_.handlers().has_filters()) [[unlikely]]
    return receive(spec.spec(too_long), room);
  return receive_posted(spec, too_long, room);
}

/// The message for a receive that no debugger steers and that needs no request: it is here and
/// fits.
template <class Spec>
Arrival* Receiver::first_matching_arrival(Spec const& spec, Scatter const& room,
                                          TooLong too_long) const {
  if (!direct_) return nullptr;
  Arrival* const arrival = unexpected_.find(spec);
  if (!arrival || arrival->offered || arrival->sender) return nullptr;
  bool const fits = too_long == TooLong::cut || arrival->envelope.length <= room.size();
  return fits ? arrival : nullptr;
}

template <class Spec>
Completion Receiver::accept_arrival(Arrival& arrival, Spec const& spec, Scatter const& room) {
  Completion result{.envelope = arrival.envelope, .id = arrival.id, .receive = true};
  const Bytes payload = arrival.payload();
  result.delivered = fill(room, payload);
  result.truncated = result.delivered < payload.size();
  if (user_visible(spec)) {
    if (debugger_) [[unlikely]]
      notify_of_receipt(*debugger_, {posts_, arrival, payload.first(result.delivered)}, spec);
    ++posts_;
    ++receives_;
  }
  remove(arrival);
  return result;
}

template <class Spec>
[[gnu::flatten]] RequestId Receiver::start_receive(Spec const& spec, Scatter const& room) {
  return RequestTable::name_of(post(spec, TooLong::cut, room, false));
}
template RequestId Receiver::start_receive(MatchSpec const& spec, Scatter const& room);
template RequestId Receiver::start_receive(NarrowSpec const& spec, Scatter const& room);

Message Receiver::take(MatchSpec const& spec) {
  if (!direct_ && engine_.handlers().has_filters() && user_visible(spec)) [[unlikely]]
    return engine_.prober().take_any_of(std::span{&spec, 1}).second;
  Request& request = post(spec, spec.too_long, {}, true);
  Engine& engine = engine_;
  engine.wait_running_handlers([&] { return request.complete(); }, {.request = &request});
  if (request.result.lost) {
    auto const source = number(request.result.envelope.source);
    engine.requests().release(request);
    throw Error(
        "process {} ended before its message had been read: no other message will do for a receive "
        "that names it; name no source, or ask for a notice of its end",
        source);
  }
  return engine.requests().take_message(request);
}

Request& Receiver::post_for_arrival(MatchSpec const& spec, Arrival const& found,
                                    Scatter const& room, bool take) {
  Request& request = engine_.requests().take();
  request.spec = spec;
  request.room = room;
  request.take = take;
  request.selection = Request::Selection::chosen;
  request.state = Request::State::moving;
  request.result = {.envelope = found.envelope, .id = found.id, .receive = true};
  return request;
}

void Receiver::drop(Arrival& arrival) {
  if (arrival.sender) engine_.requests().finished(*std::exchange(arrival.sender, nullptr));
  if (arrival.offered)
    engine_.outbound().put_protocol(arrival.envelope.source, Kind::done,
                                    bytes_of(arrival.offer().transfer));
  remove(arrival);
}

Arrival* Receiver::find_whole(MatchSpec const& spec) {
  Arrival* found = unexpected_.find(spec);
  while (found && found->offered && lost_with_sender(*found)) found = unexpected_.find(spec);
  return found;
}

/// An offer whose sender has ended: the readable data is brought here. True: there is none, and no
/// such message any more.
bool Receiver::lost_with_sender(Arrival& arrival) {
  const Rank from = arrival.envelope.source;
  const Offer offer = arrival.offer();
  if (endpoint_.waits_for_readers()) return false;
  bool const gone = engine_.peers().has_nothing_left(from);
  if (!gone && !(endpoint_.limits.remote_readable && port_.ended(from))) return false;
  Pulled pulled = Pulled::cannot;
  if (!gone) {
    Buffer body{arrival.envelope.length};
    pulled = port_.pull(from, offer, Scatter{body.room()});
    if (pulled == Pulled::done) {
      unexpected_.fill(arrival, std::move(body));
      engine_.outbound().put_protocol(from, Kind::done, bytes_of(offer.transfer));
      return false;
    }
  }
  if (pulled == Pulled::cannot && !gone) return false;
  if (debugger_ && space_of(arrival.envelope.context) == Space::user)
    debugger_->lost({.kind = OpKind::try_probe}, arrival.id);
  unexpected_.remove(arrival);
  return true;
}

void Receiver::lose(Request& request) {
  bool const posted = request.selection != Request::Selection::chosen;
  if (debugger_ && user_visible(request.spec))
    debugger_->lost({.kind = posted ? OpKind::receive : OpKind::try_receive,
                     .post = posted ? request.post : 0,
                     .spec = request.spec,
                     .contested = engine_.handlers().contested()},
                    request.result.id);
  if (request.selection != Request::Selection::any_source) {
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

/// The bytes of messages that a peer which is gone has offered and no receive has matched: the back
/// end gives its memory to others. Messages that it did not copy before its end are lost.
void Receiver::fetch_offers(Rank gone) {
  for (Arrival* const arrival : unexpected_.offers_of(gone)) {
    Buffer body(arrival->envelope.length);
    if (body.empty() || port_.pull(gone, arrival->offer(), Scatter{body.room()}) == Pulled::done)
      unexpected_.fill(*arrival, std::move(body));
  }
}

}  // namespace earl
