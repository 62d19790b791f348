// SPDX-License-Identifier: BSD-3-Clause
#include "backends/hosted/port.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "generic/base/error.hpp"

namespace earl::hosted_backend {

namespace {

/// Polls before a waiting process yields its CPU: about as long as waking it takes. Waits that take
/// no time yield as seldom.
constexpr std::uint32_t spins = 200;
/// The same while the library moves a long message: about half a millisecond, as long as ten
/// megabytes take.
constexpr std::uint32_t spins_in_transfer = 5000;
constexpr std::uint32_t yields = 50;
/// There is no descriptor to wait on. A packet ends a nap; the library's internal traffic does not.
constexpr std::int64_t longest_nap = 1000;  ///< microseconds
constexpr std::int64_t nap_in_transfer = 50;
/// Nor does a packet from another host: the first naps are short, each is twice as long as the one
/// before.
constexpr std::int64_t first_nap_of_several = 25;
constexpr std::uint32_t most_doublings = 6;

}  // namespace

LibraryPort::LibraryPort(std::unique_ptr<Board> board, Rank me, earl_library_calls const& native)
    : board_(std::move(board)),
      me_(me),
      native_(native),
      fences_(board_->head().one_sided != 0),
      elsewhere_(board_->elsewhere()),
      departures_(native),
      exposures_(native, [this](Rank rank) { return board_->state(rank) == ProcessState::ended; }),
      pulls_(native) {
  int number_there = -1;
  int processes = 0;
  expect_success(native_, native_.enter(&number_there, &processes), "begin");
  if (number_there != number(me) || processes != static_cast<int>(board_->processes()))
    throw Error(
        "cannot join {}: it numbers this process {} of {}, EXEC {} of {}; unset variables of other "
        "launchers",
        native_.title, number_there, processes, number(me), board_->processes());
  arrivals_ = std::make_unique<Arrivals>(native_);
  my_row().state.store(static_cast<std::uint32_t>(ProcessState::inside));
}

Limits LibraryPort::limits() const {
  return {.packet = largest_packet,
          .eager = largest_packet,
          .remote_readable = true,
          .spawns = false,
          .outlives_a_death = false,
          .leaves_together = true};
}

LibraryPort::Peer& LibraryPort::peer(Rank rank) {
  if (index(rank) >= peers_.size()) peers_.resize(index(rank) + 1);
  auto& peer = peers_[index(rank)];
  if (!peer) {
    EARL_CHECK(board_->has(rank) && rank != me_, "rank {} seen from rank {}", number(rank),
               number(me_));
    peer = std::make_unique<Peer>();
    peer->rank = rank;
    someone_leaves_ |= has_left(rank);
  }
  return *peer;
}

bool LibraryPort::put(Rank to, Header const& header, Gather const& payload) {
  EARL_CHECK(payload.size() <= largest_packet, "a packet of {} bytes", payload.size());
  Peer& dest = peer(to);
  if (left_ || has_left(to)) {
    ++lost_;
    return true;
  }
  if (!dest.window.has_room(sizeof(Frame) + payload.size())) return false;
  send(dest, header, payload);
  return true;
}

void LibraryPort::send(Peer& to, Header const& header, Gather const& payload) {
  Frame const frame{.consumed = to.window.announce(), .header = header};
  departures_.start(to.rank, frame, payload);
  to.window.sent(sizeof frame + payload.size());
  fences_.own();
  board_->ring_if_asleep(to.rank);
}

void LibraryPort::send_word(Peer& to, Word word, Bytes payload) {
  Header header;
  header.source = number(me_);
  header.word = static_cast<std::uint32_t>(word);
  send(to, header, payload);
}

Pulled LibraryPort::pull(Rank from, Offer const& offer, Scatter const& to) {
  if (to.empty()) return Pulled::done;
  if (left_ || board_->state(from) == ProcessState::ended) return Pulled::gone;
  auto const fetch = pulls_.start(from, offer, to);
  send_word(peer(from), Word::fetch, bytes_of(fetch));
  return Pulled::under_way;
}

std::size_t LibraryPort::poll(PacketSink& sink) {
  if (left_) return 0;
  std::size_t happened = receive(sink);
  if (!pulls_.empty())
    happened +=
        pulls_.finish([&](Rank from, TransferId transfer) { sink.moved(from, transfer, true); });
  auto const control_notices = my_row().control_notices.load(std::memory_order_acquire);
  if (control_notices != control_notices_) {
    control_notices_ = control_notices;
    ++happened;
    sink.on_control_ready();
  }
  auto const changes = board_->head().changes.load(std::memory_order_acquire);
  if (changes != changes_) {
    changes_ = changes;
    someone_leaves_ = true;
  }
  if (someone_leaves_ && happened == 0) happened += report_departed(sink);
  if (happened != 0) idle_ = 0;
  return happened;
}

/// One at a time: looking for another takes MPI as long as a short message needs to get here.
std::size_t LibraryPort::receive(PacketSink& sink) {
  auto const bytes = arrivals_->front();
  if (!bytes) return 0;
  packet(*bytes, sink);
  arrivals_->pop();
  return 1;
}

/// A packet that no process of this job can have sent is dropped.
void LibraryPort::packet(Bytes packet, PacketSink& sink) {
  Frame frame;
  if (packet.size() < sizeof frame) return;
  std::memcpy(&frame, packet.data(), sizeof frame);
  const Rank source{frame.header.source};
  if (!board_->has(source) || source == me_) return;
  Peer& from = peer(source);
  from.window.acknowledged(frame.consumed);
  from.window.consumed(packet.size());
  auto const payload = packet.subspan(sizeof frame);
  if (frame.header.packet_kind() == Kind::none)
    handle_packet(from, frame.header, payload);
  else
    sink.packet(frame.header, payload);
  if (from.window.owes_answer() && !has_left(source)) send_word(from, Word::credit);
}

void LibraryPort::handle_packet(Peer& from, Header const& header, Bytes payload) {
  if (header.word == static_cast<std::uint32_t>(Word::answer)) return send_word(from, Word::credit);
  if (header.word == static_cast<std::uint32_t>(Word::state))
    return record_peer_state(from.rank, payload);
  Fetch fetch;
  if (header.word != static_cast<std::uint32_t>(Word::fetch) || payload.size() != sizeof fetch)
    return;
  std::memcpy(&fetch, payload.data(), sizeof fetch);
  exposures_.send(from.rank, fetch);
}

/// A departed process had taken in everything before it left; reads from its memory still complete.
std::size_t LibraryPort::report_departed(PacketSink& sink) {
  std::size_t happened = 0;
  someone_leaves_ = false;
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    auto* const one = peers_[i].get();
    if (!one || !has_left(one->rank)) continue;
    if (board_->state(one->rank) == ProcessState::ended && !std::exchange(one->dead, true)) {
      departures_.abandon(one->rank);
      pulls_.abandon(one->rank);
    }
    if (one->reported) continue;
    if (board_->state(one->rank) == ProcessState::departed && pulls_.any_from(one->rank)) {
      someone_leaves_ = true;
      continue;
    }
    one->reported = true;
    ++happened;
    sink.gone(one->rank);
  }
  return happened;
}

void LibraryPort::wait(Deadline deadline) {
  if (woken_.load(std::memory_order_relaxed) && woken_.exchange(false)) return;
  if (left_) return;
  if (++idle_ == 1) tidy_up();
  bool const oversubscribed = board_->head().spins == 0;
  if (deadline == Deadline{}) {
    if (oversubscribed || idle_ % spins == 0) ::sched_yield();
    return;
  }
  auto const most = oversubscribed ? 0 : in_transfer() ? spins_in_transfer : spins;
  if (idle_ <= most) return;
  if (idle_ <= most + yields) {
    ::sched_yield();
    return;
  }
  tidy_up();
  nap(deadline, idle_ - most - yields - 1);
}

/// Work that can wait until no message is waited for.
void LibraryPort::tidy_up() {
  arrivals_->restock();
  departures_.reap();
}

/// By EXEC, since poll() has looked.
bool LibraryPort::has_notices() const {
  return my_row().control_notices.load(std::memory_order_relaxed) != control_notices_ ||
         board_->head().changes.load(std::memory_order_relaxed) != changes_;
}

/// After so many others in a row.
void LibraryPort::nap(Deadline deadline, std::uint32_t naps) {
  using std::chrono::microseconds;
  auto& row = my_row();
  auto most = pulls_.empty() && departures_.empty() ? longest_nap : nap_in_transfer;
  if (deadline != never) {
    auto const left = std::chrono::ceil<microseconds>(deadline - Clock::now()).count();
    most = std::clamp<std::int64_t>(left, 0, most);
  }
  if (!elsewhere_.empty())
    most = std::min(most, first_nap_of_several << std::min(naps, most_doublings));
  auto const door = row.door.load();
  row.asleep.store(1);
  // Else others may not see that it sleeps: nothing is lost by a nap, but let it be short.
  if (!fences_.all()) most = std::min(most, nap_in_transfer);
  bool const awaited = woken_.load() || has_notices() || arrivals_->front().has_value();
  if (!awaited && most > 0) board_->sleep(me_, door, most);
  row.asleep.store(0);
  woken_.store(false);
}

void LibraryPort::wake() {
  woken_.store(true);
  board_->ring(me_);
}

}  // namespace earl::hosted_backend
