#include "backends/myrinet/engine.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "backends/myrinet/checksum.hpp"
#include "generic/error.hpp"

namespace earl::myrinet {

namespace {

/// What frames without a packet are for: Header::word of Kind::none.
enum class Word : std::uint32_t { credit, question };

constexpr std::size_t overhead = sizeof(Preamble) + sizeof(Header);
/// Reminders after which a peer is left alone: it computes, or nothing gets there any more.
constexpr std::uint32_t most_reminders = 512;

Header word_header(Rank from, Word word) {
  Header header;
  header.source = number(from);
  header.word = static_cast<std::uint32_t>(word);
  return header;
}

std::uint32_t sum_of(Preamble preamble, Header const& header, Gather const& payload) {
  preamble.sum = 0;
  Crc32 sum;
  sum.add(bytes_of(preamble));
  sum.add(bytes_of(header));
  sum.add(payload);
  return sum.value();
}

}  // namespace

Engine::Engine(Link& link, Rank me)
    : link_(link),
      me_(me),
      trusted_(link.facts().trusted),
      largest_packet_(std::min(link.facts().frame, Window::largest_frame) - overhead) {
  EARL_CHECK(link.facts().frame >= smallest_frame, "frames of {} bytes", link.facts().frame);
}

Engine::Peer& Engine::peer(Rank rank) {
  if (index(rank) >= peers_.size()) peers_.resize(index(rank) + 1);
  auto& peer = peers_[index(rank)];
  if (!peer) peer = std::make_unique<Peer>(Peer{.rank = rank});
  return *peer;
}

bool Engine::send(Rank to, Header const& header, Gather const& payload) {
  EARL_CHECK(payload.size() <= largest_packet_, "a packet of {} bytes", payload.size());
  if (link_.is_down(to)) {
    ++lost_;
    return true;
  }
  Peer& dest = peer(to);
  auto const size = overhead + payload.size();
  if (!dest.window.has_room(size)) {
    dest.refused = true;
    return false;
  }
  if (!ship(dest, header, payload)) return false;
  dest.window.sent(size);
  return true;
}

bool Engine::ship(Peer& to, Header const& header, Gather const& payload) {
  constexpr std::size_t most_pieces = 8;
  Preamble preamble{
      .dest = number(to.rank), .sequence = to.sent, .consumed = to.window.consumed_so_far()};
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
  ++to.sent;
  to.window.tell();
  to.owes = false;
  return true;
}

void Engine::answer(Peer& to) {
  to.owes = !ship(to, word_header(me_, Word::credit), Bytes{});
  in_debt_ |= to.owes;
}

void Engine::settle_debts() {
  in_debt_ = false;
  for (auto const& peer : peers_)
    if (peer && peer->owes) answer(*peer);
}

std::size_t Engine::progress(PacketSink& sink, std::size_t most) {
  sink_ = &sink;
  if (in_debt_) settle_debts();
  return link_.progress(*this, most);
}

void Engine::frame(Rank from, Bytes bytes) {
  Preamble preamble;
  Header header;
  if (bytes.size() < overhead)
    throw Error("a frame of {} bytes came from process {} by {}: none is so short", bytes.size(),
                number(from), link_.way_to(from));
  std::memcpy(&preamble, bytes.data(), sizeof preamble);
  std::memcpy(&header, bytes.data() + sizeof preamble, sizeof header);
  bytes = bytes.subspan(overhead);
  check(from, preamble, header, bytes);
  Peer& source = peer(from);
  ++source.expected;
  source.reminders = 0;
  source.window.acknowledged(preamble.consumed);
  room_came_ |= std::exchange(source.refused, false);
  if (header.packet_kind() == Kind::none) {
    if (header.word == static_cast<std::uint32_t>(Word::question)) answer(source);
    return;
  }
  source.window.consumed(overhead + bytes.size());
  if (source.window.owes_answer()) answer(source);
  sink_->packet(header, bytes);
}

/// Anything that is not as it was sent, and next in line, ends the job.
void Engine::check(Rank from, Preamble const& preamble, Header const& header, Bytes bytes) {
  auto const sum = trusted_ ? preamble.sum : sum_of(preamble, header, bytes);
  if (sum != preamble.sum)
    throw Error(
        "a packet of process {} is damaged: its sum is {:08x}, that of what came {:08x} ({})",
        number(from), preamble.sum, sum, link_.way_to(from));
  if (preamble.dest != number(me_))
    throw Error("a packet of process {} for process {} came to process {}: a route is wrong ({})",
                number(from), preamble.dest, number(me_), link_.way_to(from));
  if (header.source != number(from))
    throw Error("a packet of process {} says that it is from process {} ({})", number(from),
                header.source, link_.way_to(from));
  if (auto const expected = peer(from).expected; preamble.sequence != expected)
    throw Error("packet {} of process {} to process {} is missing: packet {} came ({})", expected,
                number(from), number(me_), preamble.sequence, link_.way_to(from));
}

void Engine::down(Rank peer, std::string_view) {
  if (index(peer) >= peers_.size() || !peers_[index(peer)]) return;
  peers_[index(peer)]->owes = false;
  room_came_ |= std::exchange(peers_[index(peer)]->refused, false);
  sink_->gone(peer);
}

void Engine::knock() { sink_->knock(); }

bool Engine::may_lack(Peer const& peer) const {
  return !trusted_ && !peer.window.all_acknowledged() && !link_.is_down(peer.rank);
}

bool Engine::unanswered() const {
  return std::any_of(peers_.begin(), peers_.end(), [&](auto const& peer) {
    return peer && peer->reminders < most_reminders && may_lack(*peer);
  });
}

void Engine::remind() {
  for (auto const& peer : peers_) {
    if (!peer || !may_lack(*peer)) continue;
    if (peer->reminders == most_reminders || !std::has_single_bit(++peer->reminders)) continue;
    if (!ship(*peer, word_header(me_, Word::question), Bytes{})) --peer->reminders;
  }
}

void Engine::say_farewell() {
  for (auto const& peer : peers_)
    if (peer && may_lack(*peer))
      static_cast<void>(ship(*peer, word_header(me_, Word::question), Bytes{}));
}

}  // namespace earl::myrinet
