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

[[noreturn, gnu::cold, gnu::noinline]] void refuse_packet(Envelope const& envelope,
                                                          std::size_t bytes) {
  throw Error(Fault::bad_length, "a packet from process {} says {} bytes and holds {}",
              number(envelope.source), envelope.length, bytes);
}

}  // namespace

Channel& Engine::first_packet_from(Rank source) {
  if (!table_.given(source) && !table_.await(source))
    throw Error(Fault::bad_rank, "a packet claims to come from process {}, which is not in the job",
                number(source));
  return channel(source);
}

/// Flat, as receive() and send(): with a short message, calls would cost more than they do.
[[gnu::flatten]] void Engine::packet(Header const& header, Bytes payload) {
  const Rank source{header.source};
  Channel* const known = channels_.find(source);
  Channel& from = known ? *known : first_packet_from(source);
  from.heard = header.receives;
  ++from.got;
  if (header.packet_kind() != Kind::eager) [[unlikely]]
    return protocol_packet(header, payload, from);
  if (Arrival* const queued = arrived(envelope_of(header, rank_), id_of(header, from), payload))
    queued->charged = true;
  else
    taken(from, payload.size());
}

void Engine::protocol_packet(Header const& header, Bytes payload, Channel& from) {
  const Rank source{header.source};
  switch (header.packet_kind()) {
    case Kind::offer:
      return offer_arrived(envelope_of(header, rank_), id_of(header, from), payload);
    case Kind::accept:
      return accepted(payload);
    case Kind::data:
      return piece_arrived(source, payload);
    case Kind::done:
      if (auto* transfer = transfer_of(payload)) {
        if (transfer->request) transfer->request->result.taken_as = envelope_of(header, rank_).mode;
        finish(*transfer, false);
      }
      return;
    case Kind::recall:
      return recalled(source, payload);
    case Kind::recalled:
      if (auto* transfer = transfer_of(payload)) {
        if (transfer->request) transfer->request->result.cancelled = true;
        finish(*transfer, false);
      }
      return;
    case Kind::credit:
      return flow_.credit(from, from_bytes<Tally>(payload));
    case Kind::none:
    case Kind::eager:
      break;
  }
  throw Error("process {} sent a packet of unknown kind {}", header.source,
              static_cast<unsigned>(header.kind));
}

/// Packets of one channel come in send order, so the low 32 bits determine the whole number.
MessageId Engine::id_of(Header const& header, Channel& from) {
  if (space_of(Context{header.context}) != Space::user) return {};
  auto const ahead =
      static_cast<std::int32_t>(header.sequence - static_cast<std::uint32_t>(from.arrived));
  const std::uint64_t sequence = from.arrived + static_cast<std::uint64_t>(std::int64_t{ahead});
  from.arrived = sequence + 1;
  return {Rank{header.source}, sequence};
}

/// Posts a receive: takes the oldest message that fits, or waits in the posted queue.
Request& Engine::post(MatchSpec const& spec, Scatter const& room, bool take) {
  Request& request = requests_.take();
  request.spec = spec;
  request.room = room;
  request.take = take;
  request.way = spec.source == any_rank ? Request::Way::any_source : Request::Way::named_source;
  request.number = posted_.next_number();
  request.state = Request::State::posted;
  request.result = {.receive = true};
  if (user_visible(spec)) {
    request.post = posts_++;
    if (watch_) {
      ReceiveOp op{.kind = OpKind::receive,
                   .post = request.post,
                   .spec = spec,
                   .asked = &spec,
                   .contested = handlers_.contested()};
      watch_->posting(op);
      request.spec = op.spec;
      request.watched = true;
    }
  }
  enlist(request);
  return request;
}

void Engine::enlist(Request& request) {
  if (!take_waiting(request)) posted_.add(request);
}

/// The oldest message that fits goes to a receive that is not in the queue. False: none is here.
bool Engine::take_waiting(Request& request) {
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

/// Whether a replay says that this message does not come to the receive that matches it: then it
/// must be dropped, and the receive has failed or goes on.
bool Engine::undone(Request& request, Envelope const& envelope, MessageId const& id) {
  if (!user_visible(request.spec)) return false;
  const ReceiveOp op{.kind = OpKind::receive,
                     .post = request.post,
                     .spec = request.spec,
                     .contested = handlers_.contested()};
  const Fate fate = watch_->fate(op, id);
  if (fate == Fate::taken) return false;
  notify_debugger_of_loss(op, id);
  if (fate == Fate::vanished) return true;
  match(request, envelope, id);
  request.result.lost = true;
  complete(request);
  return true;
}

/// The same for one that arrives.
bool Engine::undone(Envelope const& envelope, MessageId const& id) {
  Request* const request = posted_.find(envelope, id);
  if (!request || !undone(*request, envelope, id)) return false;
  if (request->complete()) posted_.remove(*request);
  return true;
}

/// A message that is too long for a receive that wants it whole stays in the queue.
bool Engine::refuse(Request& request) {
  if (request.take || request.spec.too_long != TooLong::refuse ||
      request.result.envelope.length <= request.room.size())
    return false;
  request.result.refused = true;
  complete(request);
  return true;
}

void Engine::match(Request& request, Envelope const& envelope, MessageId const& id) {
  request.result.envelope = envelope;
  request.result.id = id;
}

void Engine::notify_debugger_of_match(Request const& request) {
  if (request.way == Request::Way::chosen || request.result.lost) return;
  std::vector<Bytes> pieces;
  watch_->matched({.kind = OpKind::receive,
                   .post = request.post,
                   .spec = request.spec,
                   .contested = handlers_.contested(),
                   .payload = request.result.refused ? Gather{} : payload_of(request, pieces)},
                  request.result.envelope, request.result.id);
}

void Engine::deliver(Request& request, Bytes payload) {
  if (request.take)
    request.body = Buffer{Gather{payload}};
  else
    request.result.delivered = fill(request.room, payload);
  request.result.truncated = !request.take && request.result.delivered < payload.size();
  complete(request);
}

/// Gives a queued message to the request that matched it.
void Engine::hand(Request& request, Arrival& arrival) {
  if (arrival.sender) [[unlikely]] {
    arrival.sender->result.taken_as = request.spec.mode;
    finished(*std::exchange(arrival.sender, nullptr));
  }
  if (arrival.offered) {
    const Offer offer = arrival.offer();
    const Rank from = arrival.envelope.source;
    unexpected_.remove(arrival);
    return fetch(request, from, offer);
  }
  if (request.take && !arrival.large.empty()) {
    request.body = std::move(arrival.large);
    complete(request);
  } else {
    deliver(request, arrival.payload());
  }
  remove(arrival);
}

void Engine::complete(Request& request) {
  if (user_visible(request.spec)) {
    if (!request.result.refused && !request.result.lost) ++receives_;
    if (watch_) [[unlikely]]
      notify_debugger_of_match(request);
  }
  finished(request);
}

/// Sums: nothing depends on how many of these reports there are, or when they come.
void Engine::report_taken(Channel& from) {
  from.flow.reported = from.flow.taken.bytes;
  if (from.peer == rank_) return flow_.credit(from, from.flow.taken);
  if (flow_.limit() != 0 && !port_->ended(from.peer))
    put_protocol(from.peer, Kind::credit, bytes_of(from.flow.taken));
}

/// Takes a message out of the queue, whose bytes, if they are here, are no longer needed.
void Engine::remove(Arrival& arrival) {
  Channel* const from = arrival.charged ? channels_.find(arrival.envelope.source) : nullptr;
  const std::uint64_t length = arrival.envelope.length;
  unexpected_.remove(arrival);
  if (from) [[likely]]
    taken(*from, length);
}

/// The oldest posted receive that accepts the message and has room for it, no longer posted; null:
/// the message must wait in the queue.
Request* Engine::matched(Envelope const& envelope, MessageId const& id) {
  Request* const request = posted_.find(envelope, id);
  if (!request) return nullptr;
  posted_.remove(*request);
  match(*request, envelope, id);
  return refuse(*request) ? nullptr : request;
}

Arrival* Engine::arrived(Envelope const& envelope, MessageId const& id, Bytes payload) {
  if (payload.size() != envelope.length) [[unlikely]]
    refuse_packet(envelope, payload.size());
  if (steered_ && undone(envelope, id)) [[unlikely]]
    return nullptr;
  if (Request* const request = matched(envelope, id)) {
    deliver(*request, payload);
    return nullptr;
  }
  Arrival& queued = unexpected_.add(envelope, id, payload);
  handlers_.arrived(queued);
  return &queued;
}

Completion Engine::release(Request& request) {
  const Completion result = request.result;
  if (request.take | request.watched) [[unlikely]]
    finish_release(request);
  requests_.give_back(request);
  return result;
}

void Engine::finish_release(Request& request) {
  request.body = {};
  if (!std::exchange(request.watched, false) || !watch_) return;
  Completion const& result = request.result;
  if (result.cancelled || result.lost || result.refused) return;
  watch_->completed(result.receive ? request.post
                                   : post_of_send(result.envelope.dest, result.id.sequence));
}

[[gnu::flatten]] Completion Engine::receive(MatchSpec const& spec, Scatter const& room) {
  if (Arrival* const arrival = first_matching_arrival(spec, room))
    return take_in(*arrival, spec, room);
  if (handlers_.has_filters() && user_visible(spec)) [[unlikely]]
    return receive_any_of(std::span{&spec, 1}, room).second;
  Request& request = post(spec, room, false);
  wait_running_handlers([&] { return request.complete(); }, {.request = &request});
  return release(request);
}

/// The message for a receive that no debugger steers and that needs no request: it is here and
/// fits.
Arrival* Engine::first_matching_arrival(MatchSpec const& spec, Scatter const& room) const {
  if (steered_ || handlers_.in_use()) return nullptr;
  Arrival* const arrival = unexpected_.find(spec);
  if (!arrival || arrival->offered || arrival->sender) return nullptr;
  bool const fits = spec.too_long == TooLong::cut || arrival->envelope.length <= room.size();
  return fits ? arrival : nullptr;
}

void Engine::notify_debugger_of_receipt(Arrival const& arrival, MatchSpec const& spec,
                                        std::uint64_t delivered) {
  watch_->received({.kind = OpKind::receive,
                    .post = posts_,
                    .spec = spec,
                    .payload = arrival.payload().first(delivered)},
                   arrival.envelope, arrival.id);
}

Completion Engine::take_in(Arrival& arrival, MatchSpec const& spec, Scatter const& room) {
  Completion result{.envelope = arrival.envelope, .id = arrival.id, .receive = true};
  const Bytes payload = arrival.payload();
  result.delivered = fill(room, payload);
  result.truncated = result.delivered < payload.size();
  if (user_visible(spec)) {
    if (watch_) [[unlikely]]
      notify_debugger_of_receipt(arrival, spec, result.delivered);
    ++posts_;
    ++receives_;
  }
  remove(arrival);
  return result;
}

RequestId Engine::start_receive(MatchSpec const& spec, Scatter const& room) {
  return RequestId{Slab<Request>::name_of(post(spec, room, false))};
}

Message Engine::message_of(Request& request) {
  Message message{request.result.envelope, request.result.id, std::move(request.body)};
  release(request);
  return message;
}

Message Engine::take(MatchSpec const& spec) {
  if (handlers_.has_filters() && user_visible(spec)) [[unlikely]]
    return take_any_of(std::span{&spec, 1}).second;
  Request& request = post(spec, {}, true);
  wait_running_handlers([&] { return request.complete(); }, {.request = &request});
  if (request.result.lost) {
    auto const source = number(request.result.envelope.source);
    release(request);
    throw Error(
        "process {} ended before its message had been read: no other message will do for a receive "
        "that names it; name no source, or ask for a notice of its end",
        source);
  }
  return message_of(request);
}

/// A receive for a message that is in the queue.
Request& Engine::post_for_arrival(MatchSpec const& spec, Arrival const& found, Scatter const& room,
                                  bool take) {
  Request& request = requests_.take();
  request.spec = spec;
  request.room = room;
  request.take = take;
  request.way = Request::Way::chosen;
  request.state = Request::State::moving;
  request.result = {.envelope = found.envelope, .id = found.id, .receive = true};
  return request;
}

std::optional<Message> Engine::try_take(MatchSpec const& spec, Deadline deadline) {
  progress();
  bool const waits = deadline != Deadline{};
  if (waits)
    run_due_handlers_before([&] { return unexpected_.find(spec) != nullptr; }, wanting(spec),
                            deadline);
  ReceiveOp op{.kind = OpKind::try_receive,
               .post = posts_,
               .spec = spec,
               .asked = &spec,
               .contested = handlers_.contested()};
  const Verdict verdict = watch_ ? watch_->posting(op) : Verdict::free;
  while (Arrival* const found = await(op.spec, verdict, deadline)) {
    Request& request = post_for_arrival(spec, *found, {}, true);
    hand(request, *found);
    wait_until([&] { return request.complete(); }, {.request = &request});
    if (request.result.lost) {  // there never was such a message
      release(request);
      continue;
    }
    Message message = message_of(request);
    op.payload = Gather{message.body.bytes()};
    if (watch_) watch_->answered(op, &message.envelope, message.id);
    return message;
  }
  if (watch_) watch_->answered(op, nullptr, {});
  if (waits) return std::nullopt;
  monitor_.record_failed_poll(OpKind::try_receive, spec);
  port_->wait(Deadline{});
  return std::nullopt;
}

}  // namespace earl
