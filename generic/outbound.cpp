// SPDX-License-Identifier: BSD-3-Clause
/// Sends: order, the eager protocol, and packets that cannot leave at once.
#include <bit>
#include <cstring>

#include "generic/engine.hpp"

namespace earl {

namespace {

/// A value that the compiler reads by itself, not together with its neighbours.
template <class T>
T apart(T value) {
  asm("" : "+r"(value));
  return value;
}

/// The time that a send waits for room or for its receiver before its bytes are copied aside: about
/// one hop between processes that share a core.
constexpr auto room_wait = std::chrono::microseconds{50};
/// Packets in outboxes above which each further send drives progress.
constexpr std::size_t few_packets = 8;

constexpr std::uint64_t pair(std::uint32_t low, std::uint32_t high) {
  return std::uint64_t{high} << 32 | low;
}

/// The header's members beside the envelope.
struct Stamp {
  Rank source = no_rank;
  std::uint64_t length = 0;
  std::uint32_t sequence = 0;
};

/// Like header_of(), written in whole words: a CPU cannot read a word soon after it has been
/// written in parts, and a port is about to.
Header pack_header(Kind kind, Envelope const& envelope, Stamp const& stamp) {
  Header header;
  static_assert(sizeof header == 40 && std::endian::native == std::endian::little);
  // One call for each: a loop, or a copy of all five, is compiled into wider reads of these words.
  auto const put = [&](std::size_t word, std::uint64_t value) {
    std::memcpy(reinterpret_cast<std::byte*>(&header) + word * sizeof value, &value, sizeof value);
  };
  put(0, static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(envelope.mode) << 8 |
             static_cast<std::uint64_t>(envelope.encoding) << 12 | stamp.length << 16);
  put(1, pair(static_cast<std::uint32_t>(number(stamp.source)),
              static_cast<std::uint32_t>(number(envelope.tag))));
  put(2, static_cast<std::uint64_t>(envelope.context));
  put(3, pair(envelope.word, stamp.sequence));
  return header;
}

}  // namespace

/// The program's envelope of its message, and the members that it did not choose.
Envelope Outbound::complete_envelope(Envelope const& to, Gather const& bytes) const {
  Envelope envelope = to;
  envelope.source = rank_;
  envelope.length = bytes.size();
  return envelope;
}

void Outbound::notify_debugger_of_send(Envelope const& envelope, Channel const& to,
                                       Gather const& bytes) {
  const SendOp op{.envelope = envelope, .sequence = to.sent, .payload = bytes};
  if (!piggybacks_) [[likely]]
    return debugger_->sending(op);
  notify_debugger_of_send_with_word(op);
}

void Outbound::notify_debugger_of_send_with_word(SendOp const& op) {
  debugger_->sending(op);
  Envelope const& envelope = op.envelope;
  if (envelope.dest == rank_) return;
  if (auto const word = debugger_->piggyback(envelope.dest))
    put_protocol(envelope.dest, Kind::piggyback,
                 bytes_of(Piggyback{.sequence = op.sequence, .word = *word}));
}

/// Takes the message's place in the channel's order.
Header Outbound::stamp(Kind kind, Envelope const& envelope, Channel& to, Gather const& bytes) {
  bool const user = space_of(envelope.context) == Space::user;
  if (debugger_ && user) [[unlikely]]
    notify_debugger_of_send(envelope, to, bytes);
  return pack_header(kind, envelope,
                     {.source = rank_,
                      .length = bytes.size(),
                      .sequence = user ? static_cast<std::uint32_t>(to.sent++) : 0});
}

[[gnu::flatten]] void Outbound::send(Envelope const& to, Gather const& bytes) {
  if (Request* request = launch(to, bytes)) [[unlikely]]
    return await_sent({&request, 1});
  engine_.run_due_handlers();
}

/// Handlers have one chance to run whether or not the back end waits: a replay may be on another.
void Outbound::send_to_all(std::span<const Rank> ranks, Envelope const& to, Gather const& bytes) {
  auto const requests = launch_all(ranks, to, bytes);
  if (!requests.empty()) return await_sent(requests);
  engine_.run_due_handlers();
}

void Outbound::await_sent(std::span<Request* const> requests) {
  auto const over = [this](Request const* one) {
    return one->complete() || port_.ended(one->result.envelope.dest) || has_room_for(*one);
  };
  engine_.wait_running_handlers([&] { return std::ranges::all_of(requests, over); },
                                requests.size() == 1 ? WaitState{.request = requests.front()}
                                                     : WaitState{.requests = requests});
  for (Request* const request : requests) {
    if (!request->complete()) stop_waiting(*request);
    engine_.requests().release(*request);
  }
}

/// Whether a message may be sent eagerly, within the sender's share. Handlers and replays never
/// wait for room: a replay's receives come as recorded, for any waits of its sends.
bool Outbound::within_share(Channel const& to, std::uint64_t length) {
  return flow_.has_room(to, charge_of(length)) || engine_.handlers().running() ||
         (debugger_ && forced(SendRule::buffered));
}

/// There was no room for it, and now there is.
bool Outbound::has_room_for(Request const& request) {
  if (!request.throttled) return false;
  Envelope const& message = request.result.envelope;
  Channel const* const to = peers_.find(message.dest);
  return !to || within_share(*to, message.length);
}

/// For a message not taken yet: its receiver has ended, so that `done` will never come; or it goes
/// on as a buffered one.
void Outbound::stop_waiting(Request& request) {
  Transfer* const transfer = engine_.rendezvous().find(request.transfer);
  if (!transfer) return;
  if (port_.ended(transfer->dest)) return engine_.rendezvous().finish(*transfer, true);
  transfer->request = nullptr;
  engine_.rendezvous().release_buffer(*transfer);
}

RequestId Outbound::start_send(Envelope const& to, Gather const& bytes) {
  const std::uint64_t sequence = peers_.channel_to(to.dest).sent;
  Request* request = debugger_ ? defer_send(to, bytes) : nullptr;
  if (!request) request = launch(to, bytes);
  return name_started(request, to, bytes, sequence);
}

[[gnu::flatten]] RequestId Outbound::start_unless_over(Envelope const& to, Gather const& bytes) {
  const std::uint64_t sequence = peers_.channel_to(to.dest).sent;
  Request* const request = launch(to, bytes);
  if (!request && to.mode != Mode::synchronous) [[likely]]
    return no_request;
  return name_started(request, to, bytes, sequence);
}

/// Null `request`: the send is over.
RequestId Outbound::name_started(Request* request, Envelope const& to, Gather const& bytes,
                                 std::uint64_t sequence) {
  bool const lost = !request && to.mode == Mode::synchronous;  // its receiver has ended
  if (!request) {
    request = &engine_.requests().take();
    engine_.requests().finished(*request);
  }
  bool const user = space_of(to.context) == Space::user;
  write_result(request->result, to, bytes.size());
  request->result.id.source = user ? rank_ : no_rank;
  request->result.id.sequence = user ? sequence : 0;
  request->result.lost = lost;
  if (debugger_ && user) [[unlikely]]
    watch(*request, bytes);
  return RequestTable::name_of(*request);
}

/// For debuggers that are to be notified of its end.
void Outbound::watch(Request& send, Gather const& memory) {
  bool const watches = debugger_->watches_sends();
  send.watched = watches || send.result.envelope.mode == Mode::synchronous;
  if (watches) engine_.requests().watch_send(RequestTable::name_of(send), memory);
}

/// Member by member: a load that is wider than the stores before it would wait for all of them, and
/// so for the memory that the packet has just been written to, which is another processor's.
void Outbound::write_result(Completion& result, Envelope const& to, std::size_t size) const {
  Mode const mode = apart(to.mode);
  result.envelope.source = rank_;
  result.envelope.dest = apart(to.dest);
  result.envelope.context = apart(to.context);
  result.envelope.tag = apart(to.tag);
  result.envelope.length = size;
  result.envelope.mode = mode;
  result.envelope.encoding = apart(to.encoding);
  result.envelope.word = apart(to.word);
  result.delivered = size;
  result.receive = result.truncated = result.refused = result.cancelled = false;
  result.taken_as = mode;
}

/// Starts a send. Null: its bytes may be reused already. Else a request that completes when they
/// may; only a send that may wait for its receiver gets one.
Request* Outbound::launch(Envelope const& envelope, Gather const& bytes) {
  Channel& to = peers_.channel_to(envelope.dest);
  if (envelope.dest == rank_) return deliver_to_self(envelope, to, bytes);
  if (bytes.size() > eager_ || must_wait(envelope.mode) || !within_share(to, bytes.size()))
      [[unlikely]]
    return launch_long(envelope, to, bytes);
  flow_.sent(to, charge_of(bytes.size()));
  put_in_order(envelope.dest, to, stamp(Kind::eager, envelope, to, bytes), bytes);
  return nullptr;
}

/// Like launch() for each; the requests of those that may wait.
std::vector<Request*> Outbound::launch_all(std::span<const Rank> ranks, Envelope const& to,
                                           Gather const& bytes) {
  std::vector<Request*> open;
  bool const at_once = endpoint_.limits.multicasts && bytes.size() <= eager_ &&
                       !must_wait(to.mode) && has_room_for_all(ranks, bytes);
  if (at_once) {
    put_all(ranks, to, bytes);
    return open;
  }
  Envelope one = to;
  for (const Rank rank : ranks) {
    one.dest = rank;
    if (Request* const request = launch(one, bytes)) open.push_back(request);
  }
  return open;
}

/// Short ones, on a back end that takes one packet for many.
void Outbound::put_all(std::span<const Rank> ranks, Envelope const& to, Gather const& bytes) {
  std::vector<Addressed> all;
  Envelope one = to;
  for (const Rank rank : ranks) {
    one.dest = rank;
    Channel& channel = peers_.channel_to(rank);
    if (rank == rank_) {
      deliver_to_self(one, channel, bytes);
      continue;
    }
    flow_.sent(channel, charge_of(bytes.size()));
    all.push_back({rank, stamp(Kind::eager, one, channel, bytes)});
  }
  bool const left = all_may_leave(all) && port_.put_all(all, bytes);
  for (auto const& [rank, header] : all) {
    if (!left) {
      put_in_order(rank, peers_.channel(rank), header, bytes);
      continue;
    }
    peers_.channel(rank).outbox_active = false;
    ++peers_.channel(rank).put;
  }
}

bool Outbound::has_room_for_all(std::span<const Rank> ranks, Gather const& bytes) {
  return std::ranges::all_of(ranks, [&](Rank rank) {
    return rank == rank_ || within_share(peers_.channel_to(rank), bytes.size() * ranks.size());
  });
}

bool Outbound::all_may_leave(std::span<const Addressed> all) {
  return all.size() > 1 && std::ranges::all_of(all, [this](Addressed const& one) {
           return peers_.channel(one.to).outbox.empty();
         });
}

Request* Outbound::launch_long(Envelope const& envelope, Channel& to, Gather const& bytes) {
  const Header header = stamp(Kind::offer, envelope, to, bytes);
  if (port_.ended(envelope.dest)) {
    if (to.put + to.got == 0) close(to);  // of which the port knows nothing
    return nullptr;
  }
  bool const waits = may_wait(envelope.mode);
  // Longer ones that may wait are not copied and need no room.
  bool const needs_room = !must_wait(envelope.mode) && (!waits || bytes.size() <= eager_);
  bool const throttled = needs_room && !within_share(to, bytes.size());
  Request* const request =
      waits || throttled ? &open_send(complete_envelope(envelope, bytes)) : nullptr;
  Transfer& transfer = engine_.rendezvous().offer(envelope.dest, to, header, bytes, request);
  if (request) {
    request->transfer = Slab<Transfer>::name_of(transfer);
    request->throttled = throttled;
  }
  if (!request && transfer.in_use) engine_.rendezvous().release_buffer(transfer);
  return request;
}

Request& Outbound::open_send(Envelope const& envelope) {
  Request& request = engine_.requests().take();
  request.state = Request::State::moving;
  request.transfer = 0;
  request.throttled = false;
  request.result = {.envelope = envelope};
  return request;
}

/// In a replay, a send that the recorded run took back: it gets its number and stays here until it
/// is cancelled. Null: it is none of those.
Request* Outbound::defer_send(Envelope const& envelope, Gather const& bytes) {
  Channel& to = peers_.channel_to(envelope.dest);
  const SendOp op{.envelope = envelope, .sequence = to.sent, .payload = bytes};
  if (space_of(envelope.context) != Space::user || !debugger_->will_be_cancelled(op))
    return nullptr;
  stamp(Kind::offer, envelope, to, bytes);
  return &open_send(complete_envelope(envelope, bytes));
}

Request* Outbound::deliver_to_self(Envelope const& to, Channel& channel, Gather const& bytes) {
  if (flow_.limit() != 0) check_own_room(to, channel, bytes.size());
  stamp(Kind::eager, to, channel, bytes);
  flow_.sent(channel, charge_of(bytes.size()));
  bool const user = space_of(to.context) == Space::user;
  const MessageId id = user ? MessageId{rank_, channel.sent - 1} : MessageId{};
  channel.arrived = channel.sent;
  auto const give = [&](Bytes payload) {
    return engine_.receiver().arrived(complete_envelope(to, bytes), id, payload);
  };
  Arrival* const queued = bytes.contiguous() ? give(bytes.only()) : give(Buffer{bytes}.bytes());
  if (!queued) {
    engine_.receiver().taken(channel, bytes.size());
    return nullptr;
  }
  queued->charged = true;
  if (!must_wait(to.mode) || !may_wait(to.mode)) return nullptr;
  queued->sender = &open_send(complete_envelope(to, bytes));
  return queued->sender;
}

/// No other process could make room for a message of a process to itself: it would wait for ever.
void Outbound::check_own_room(Envelope const& to, Channel const& channel, std::uint64_t length) {
  MessageCount own = channel.flow.sent;
  own -= channel.flow.taken;
  if (own.bytes + charge_of(length) <= std::max(flow_.limit(), FlowControl::least_per_channel))
    return;
  throw Error(Fault::no_memory,
              "no room for a message to itself (tag {}, {} bytes): process {} has not received {} "
              "messages from itself, and the job may hold {} bytes of such; receive them, or allow "
              "more (--message-memory)",
              number(to.tag), length, number(rank_), own.messages, flow_.limit());
}

/// A packet that did not leave at once: a receiver that is awake makes room soon, else it goes
/// where there is room. It has its place in the order before others move.
void Outbound::send_or_queue(Rank dest, Channel& to, Header const& header, Gather const& payload) {
  if (!to.outbox_active && to.outbox.empty() && wait_for_room(dest, to, header, payload)) return;
  append_to_outbox(dest, to, header, payload);
  // A program that only sends calls nothing else that would empty its outbox.
  if (waiting_packets_ > few_packets) engine_.pump();
}

/// Where nothing outlives its sender, the first packet to a process waits for the connection: the
/// program may compute for long after this call. Processes that do not answer cost less and less.
bool Outbound::wait_for_room(Rank dest, Channel& to, Header const& header, Gather const& payload) {
  bool const first = to.put == 0 && endpoint_.table.state(dest) != RankState::reserved;
  if (!first || endpoint_.limits.packets_outlive_sender)
    return wait_for_room(dest, header, payload, room_wait);
  bool const left = wait_for_room(dest, header, payload, contact_wait_);
  contact_wait_ = left ? first_contact_wait : std::max<Microseconds>(contact_wait_ / 2, room_wait);
  return left;
}

void Outbound::append_to_outbox(Rank dest, Channel& to, Header const& header,
                                Gather const& payload) {
  to.outbox_active = true;
  if (to.outbox.empty() && port_.keep(dest, header, payload)) {
    ++to.put;
    return;
  }
  to.outbox.push_back({header, Buffer{payload}});
  ++waiting_packets_;
}

/// True when the packet has left, or its receiver is gone.
bool Outbound::wait_for_room(Rank dest, Header const& header, Gather const& payload,
                             Microseconds limit) {
  const Deadline deadline = Clock::now() + limit;
  do {
    port_.wait(deadline);
    engine_.pump();
    Channel* const to = peers_.find(dest);
    if (!to) return true;
    // Packets that arrived meanwhile may have put an answer into the outbox: then it goes first.
    if (to->outbox.empty() && port_.put(dest, header, payload)) {
      ++to->put;
      return true;
    }
  } while (Clock::now() < deadline && !port_.ended(dest));
  return false;
}

void Outbound::put_protocol(Rank dest, Kind kind, Bytes payload, Mode mode) {
  Envelope envelope{.source = rank_,
                    .dest = dest,
                    .context = context_of(Space::control, 0),
                    .length = payload.size(),
                    .mode = mode};
  const Header header = header_of(kind, envelope);
  Channel* const to = peers_.find(dest);
  if (!to) return;
  if (to->outbox.empty() && port_.put(dest, header, payload))
    ++to->put;
  else
    append_to_outbox(dest, *to, header, payload);
}

std::size_t Outbound::flush_outboxes() {
  std::size_t left = 0;
  if (waiting_packets_ == 0) return 0;
  for (auto const& channel : peers_) {
    auto& outbox = channel->outbox;
    while (!outbox.empty()) {
      Waiting const& first = outbox.front();
      if (!port_.put(channel->peer, first.header, first.payload.bytes())) break;
      outbox.pop_front();
      ++channel->put;
      --waiting_packets_;
      ++left;
    }
  }
  return left;
}

void Outbound::close(Channel& channel) {
  waiting_packets_ -= channel.outbox.size();
  flow_.closed(channel);
  peers_.close(channel);
}

SendBacklog Outbound::backlog_before(Request const& send) const {
  Envelope const& message = send.result.envelope;
  Channel const* const to = peers_.find(message.dest);
  const MessageCount before = to ? to->flow.outstanding() : MessageCount{};
  return {.tag = message.tag,
          .length = message.length,
          .messages = before.messages,
          .bytes = before.bytes};
}

}  // namespace earl
