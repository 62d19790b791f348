// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/engine.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "generic/base/crc32c.hpp"
#include "generic/base/error.hpp"

namespace earl::net {

namespace {

/// The meanings of frames without a packet: Header::word of Kind::none.
enum class Word : std::uint32_t {
  credit,
  question,  ///< whether all has come
  again,     ///< all that is not acknowledged; Header::sequence: the round that it was missing in
};

constexpr std::size_t overhead = sizeof(Preamble) + sizeof(Header);
/// Reminders after which a peer is left alone: it computes, or nothing gets there any more.
constexpr std::uint32_t most_reminders = 512;

Header word_header(Rank from, Word word, std::uint16_t round = 0) {
  Header header;
  header.source = number(from);
  header.word = static_cast<std::uint32_t>(word);
  header.sequence = round;
  return header;
}

std::uint32_t sum_of(Preamble preamble, Header const& header, Gather const& payload) {
  preamble.sum = 0;
  auto sum = crc32c(bytes_of(header), crc32c(bytes_of(preamble)));
  for (auto const& piece : payload.list()) sum = crc32c(piece, sum);
  return sum;
}

}  // namespace

Engine::Engine(Link& link, Rank me, OnLoss on_loss)
    : link_(link),
      me_(me),
      trusted_(link.facts().trusted),
      repairs_(on_loss == OnLoss::repair && !trusted_),
      largest_packet_(std::min(link.facts().frame, Window::largest_frame) - overhead) {
  EARL_CHECK(link.facts().frame >= smallest_frame, "frames of {} bytes", link.facts().frame);
}

bool Engine::send(Rank to, Header const& header, Gather const& payload) {
  if (payload.patterned()) return send(to, header, Buffer{payload}.bytes());
  EARL_CHECK(payload.size() <= largest_packet_, "a packet of {} bytes", payload.size());
  if (link_.is_down(to)) {
    ++lost_;
    link_.report_down(to);
    return true;
  }
  Peer& dest = peers_.find_or_add(to);
  auto const size = overhead + payload.size();
  if (!dest.window.has_room(size) || dest.behind()) {
    dest.refused = true;
    return false;
  }
  if (!transmit(dest, header, payload)) return false;
  dest.window.sent(size);
  if (repairs_)
    dest.kept.push_back({.mark = dest.window.mark(), .header = header, .payload = Buffer{payload}});
  return true;
}

bool Engine::transmit(Peer& to, Header const& header, Gather const& payload) {
  constexpr std::size_t most_pieces = 8;
  Preamble preamble{.dest = number(to.rank),
                    .sequence = to.sent & 0xffff'ffff'ffff,
                    .round = to.round,
                    .consumed = to.window.consumed_so_far()};
  if (!trusted_) preamble.sum = sum_of(preamble, header, payload);
  std::array<Bytes, most_pieces> few{bytes_of(preamble), bytes_of(header)};
  auto const pieces = payload.list();
  std::vector<Bytes> many;
  std::span<const Bytes> all;
  if (pieces.size() + 2 <= most_pieces) {
    std::copy(pieces.begin(), pieces.end(), few.begin() + 2);
    all = std::span{few}.first(pieces.size() + 2);
  } else {
    many.assign({few[0], few[1]});
    many.insert(many.end(), pieces.begin(), pieces.end());
    all = many;
  }
  if (!link_.send(to.rank, Gather{all})) return false;
  if (!repairs_ || header.packet_kind() != Kind::none) ++to.sent;
  to.window.announce();
  to.answer_pending = false;
  return true;
}

void Engine::answer(Peer& to) {
  auto const word =
      to.lacks ? word_header(me_, Word::again, to.asked) : word_header(me_, Word::credit);
  to.answer_pending = !transmit(to, word, Bytes{});
  answers_pending_ |= to.answer_pending;
}

void Engine::send_pending_answers() {
  answers_pending_ = false;
  for (auto const& peer : peers_) {
    if (peer->answer_pending) answer(*peer);
    if (peer->behind()) catch_up(*peer);
  }
}

/// Each round is asked for once: later answers are late.
void Engine::go_back(Peer& to, std::uint16_t round) {
  if (round != to.round || to.kept.empty()) return;
  ++to.round;
  to.sent = to.released;
  catch_up(to);
}

void Engine::catch_up(Peer& to) {
  while (to.behind()) {
    auto const& packet = to.kept[to.sent - to.released];
    if (!transmit(to, packet.header, packet.payload.bytes())) break;
    ++sent_again_;
  }
  answers_pending_ |= to.behind();
  if (!to.behind()) room_event_ |= std::exchange(to.refused, false);
}

std::size_t Engine::progress(PacketSink& sink, std::size_t most) {
  sink_ = &sink;
  if (answers_pending_) send_pending_answers();
  return link_.progress(*this, most);
}

void Engine::frame(Rank from, Bytes bytes) {
  Preamble preamble;
  Header header;
  if (bytes.size() < overhead)
    throw Error("a frame of {} bytes came from process {} by {}: none is so short", bytes.size(),
                number(from), link_.route_description(from));
  std::memcpy(&preamble, bytes.data(), sizeof preamble);
  std::memcpy(&header, bytes.data() + sizeof preamble, sizeof header);
  bytes = bytes.subspan(overhead);
  if (!check(from, preamble, header, bytes)) return;
  Peer& source = peers_.find_or_add(from);
  source.reminders = 0;
  record_consumed(source, preamble.consumed);
  if (next_in_line(source, preamble, header)) handle_frame(source, header, bytes);
}

void Engine::record_consumed(Peer& source, std::uint64_t consumed) {
  source.window.acknowledged(consumed);
  for (; !source.kept.empty() && source.window.reached(source.kept.front().mark);
       source.kept.pop_front())
    ++source.released;
  if (repairs_) source.sent = std::max(source.sent, source.released);
  if (!source.behind()) room_event_ |= std::exchange(source.refused, false);
}

void Engine::handle_frame(Peer& source, Header const& header, Bytes payload) {
  if (header.packet_kind() == Kind::none) return handle_word(source, header);
  source.lacks = false;
  source.window.consumed(overhead + payload.size());
  if (source.window.owes_answer()) answer(source);
  sink_->packet(header, payload);
}

void Engine::handle_word(Peer& source, Header const& header) {
  switch (static_cast<Word>(header.word)) {
    case Word::question:
      return answer(source);
    case Word::again:
      return go_back(source, static_cast<std::uint16_t>(header.sequence));
    case Word::credit:
      break;
  }
}

/// A damaged frame ends the job or counts as missing; a frame of another process ends it.
bool Engine::check(Rank from, Preamble const& preamble, Header const& header, Bytes bytes) {
  auto const sum = trusted_ ? preamble.sum : sum_of(preamble, header, bytes);
  if (sum != preamble.sum) {
    damaged(
        fmt::format("a packet of process {} is damaged: its sum is {:08x}, that of the received "
                    "packet {:08x} ({})",
                    number(from), preamble.sum, sum, link_.route_description(from)));
    return false;
  }
  if (preamble.dest != number(me_))
    throw Error("a packet of process {} for process {} came to process {}: a route is wrong ({})",
                number(from), preamble.dest, number(me_), link_.route_description(from));
  if (header.source != number(from))
    throw Error("a packet of process {} says that it is from process {} ({})", number(from),
                header.source, link_.route_description(from));
  return true;
}

void Engine::damaged(std::string const& what) {
  if (!repairs_) throw Error("{}", what);
}

/// Whether nothing is missing before it. Where losses are repaired: a frame that arrives twice is
/// not taken again, and a missing one is requested, once for each time that its sender goes back.
bool Engine::next_in_line(Peer& source, Preamble const& preamble, Header const& header) {
  bool const word = header.packet_kind() == Kind::none;
  if (preamble.sequence == source.expected) {
    if (!repairs_ || !word) ++source.expected;
    return true;
  }
  if (!repairs_)
    throw Error("packet {} of process {} to process {} is missing: packet {} came ({})",
                source.expected, number(source.rank), number(me_),
                static_cast<std::uint64_t>(preamble.sequence),
                link_.route_description(source.rank));
  if (preamble.sequence < source.expected) return word;
  bool const asks = word && header.word == static_cast<std::uint32_t>(Word::question);
  if (asks || !source.lacks || source.asked != preamble.round) {
    source.lacks = true;
    source.asked = preamble.round;
    answer(source);
  }
  return word && !asks;
}

void Engine::landed(std::uint64_t number, bool whole) {
  direct_receives_.landed(number, whole, *sink_);
}

void Engine::down(Rank peer, std::string_view) {
  if (auto* const known = peers_.find(peer)) {
    room_event_ |= known->refused;
    peers_.remove(*known);
  }
  sink_->gone(peer);
}

void Engine::on_control_ready() { sink_->on_control_ready(); }

bool Engine::may_lack(Peer const& peer) const {
  return !trusted_ && !peer.window.all_acknowledged() && !link_.is_down(peer.rank);
}

bool Engine::all_is_there() const {
  return std::ranges::none_of(peers_, [&](auto const& peer) { return may_lack(*peer); });
}

bool Engine::unanswered() const {
  return std::ranges::any_of(peers_, [&](auto const& peer) {
    return (repairs_ || peer->reminders < most_reminders) && may_lack(*peer);
  });
}

bool Engine::is_due(std::uint32_t reminder) const {
  return repairs_ || std::has_single_bit(reminder);
}

void Engine::remind() {
  for (auto const& peer : peers_) {
    if (!may_lack(*peer)) continue;
    if (!repairs_ && peer->reminders == most_reminders) continue;
    if (!is_due(++peer->reminders)) continue;
    if (!transmit(*peer, word_header(me_, Word::question), Bytes{})) --peer->reminders;
  }
}

void Engine::announce_end() {
  for (auto const& peer : peers_)
    if (may_lack(*peer))
      static_cast<void>(transmit(*peer, word_header(me_, Word::question), Bytes{}));
}

}  // namespace earl::net
