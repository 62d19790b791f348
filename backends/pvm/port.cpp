// SPDX-License-Identifier: BSD-3-Clause
#include "backends/pvm/port.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "generic/base/error.hpp"
#include "generic/base/iovecs.hpp"

namespace earl::pvm_backend {

namespace {

constexpr std::size_t most_per_poll = 64;
/// Longer messages are offered first.
constexpr std::size_t largest_packet = Window::largest_frame - sizeof(Frame);

/// PVM's error numbers that can occur here.
constexpr int no_daemon = -14;

char const* error_text(int error) {
  return error == no_daemon ? "its daemon (pvmd) does not answer" : "its library refused";
}

}  // namespace

int check(int result, char const* operation) {
  if (result < 0)
    throw Error("PVM cannot {}: {} (PVM error {})", operation, error_text(result), result);
  return result;
}

PortSettings PortSettings::from_environment() {
  char const* const text = std::getenv("EARL_PVM_ROUTE");
  const std::string_view word = text ? text : "daemon";
  if (word != "daemon" && word != "direct")
    throw Error("EARL_PVM_ROUTE is \"{}\"; it can be daemon or direct", word);
  return {.route = word == "direct" ? Route::direct : Route::daemon,
          .wait = WaitPolicy::from(WaitSettings::from_environment(), 1)};
}

PvmPort::PvmPort(std::unique_ptr<Board> board, Bell bell, Rank me, earl_pvm_native const& native,
                 PortSettings const& settings)
    : board_(std::move(board)),
      bell_(std::move(bell)),
      me_(me),
      native_(native),
      by_daemon_(settings.route == Route::daemon),
      waiter_(settings.wait),
      room_(Window::largest_frame + most_shares * sizeof(Share)),
      notices_(board_->notices_for(me)) {
  if (!board_->has(me))
    throw Error("process {} has no place in a job of at most {} processes; install Earl again",
                number(me), board_->capacity());
  auto const& head = board_->head();
  notices_.skip_deaths();
  my_row().drained.store(notices_.deaths_read());
  my_row().enrolled.store(1);
  int const tid =
      check(native_.enrol(head.socket, head.context, by_daemon_ ? 0 : 1), "enrol this process");
  my_row().tid.store(tid);
}

Limits PvmPort::limits() const {
  return {.packet = largest_packet,
          .eager = largest_packet,
          .multicasts = by_daemon_ && board_->head().several_hosts == 0};
}

PvmPort::Peer& PvmPort::peer(Rank rank) {
  auto& peer = peers_[number(rank)];
  if (!peer) {
    EARL_CHECK(is_peer(rank), "rank {} seen from rank {}", number(rank), number(me_));
    peer = std::make_unique<Peer>();
    peer->rank = rank;
    if (board_->has_ended(rank)) drain_ended_peer(*peer);
  }
  return *peer;
}

/// False: it has not enrolled yet, and EXEC will ring when it has; or its row is another's.
bool PvmPort::find_task(Peer& peer, Rank rank) {
  if (peer.tid != 0) [[likely]]
    return true;
  board_->row(rank).wanted.store(1);
  peer.tid = board_->task(rank);
  if (peer.tid == 0) return false;
  ranks_.insert_or_assign(peer.tid, rank);
  return true;
}

/// 0: not known, or not any more.
int PvmPort::task_of(Rank source) {
  auto const known = peers_.find(number(source));
  return known != peers_.end() && known->second->tid != 0 ? known->second->tid
                                                          : board_->task(source);
}

bool PvmPort::put(Rank to, Header const& header, Gather const& payload) {
  EARL_CHECK(payload.size() <= largest_packet, "a packet of {} bytes", payload.size());
  Peer& dest = peer(to);
  if (left_ || board_->has_ended(to)) {
    ++lost_;
    return true;
  }
  if (!find_task(dest, to) || !dest.window.has_room(sizeof(Frame) + payload.size())) return false;
  send(dest, header, payload);
  return true;
}

Frame PvmPort::next_frame(Peer& to, Header const& header) {
  return {.consumed = to.window.announce(), .sequence = to.sent++, .header = header};
}

void PvmPort::send(Peer& to, Header const& header, Gather const& payload) {
  const Frame frame = next_frame(to, header);
  Iovecs const pieces(bytes_of(frame), payload);
  board_->row(to.rank).frames.fetch_add(1, std::memory_order_release);
  check(native_.send(to.tid, pieces.all().data(), static_cast<int>(pieces.all().size())), "send");
  // It reads while it sends: it may have the missing messages for this process now.
  if (may_have_more()) drained_ = false;
  to.window.sent(sizeof frame + payload.size());
}

void PvmPort::return_credit(Peer& to) {
  Header header;
  header.source = number(me_);
  send(to, header, Bytes{});
}

std::size_t PvmPort::poll(PacketSink& sink) {
  if (left_) return 0;
  std::size_t happened = early_.empty() ? 0 : look_at_early(sink);
  happened += receive(sink);
  if (notices_.take_control_notice()) {
    ++happened;
    sink.on_control_ready();
  }
  if (notices_.has_deaths()) happened += observe_deaths();
  if (!gone_.empty() && drained_ && !more_to_read()) happened += mark_ended(sink);
  note_drained();
  return happened;
}

/// Asking PVM costs two system calls when there is nothing. Senders count their messages in shared
/// memory, so that a process with nothing outstanding need not ask.
bool PvmPort::may_have_more() {
  return board_->head().several_hosts != 0 || input_ != Input::none || watches_ > 0 ||
         !gone_.empty() || my_row().frames.load(std::memory_order_acquire) != frames_;
}

std::size_t PvmPort::receive(PacketSink& sink) {
  for (std::size_t n = 0; n < most_per_poll; ++n) {
    if (!may_have_more()) {
      drained_ = true;
      return n;
    }
    earl_pvm_arrival arrival{};
    drained_ = false;
    // wait() finds again any data left in a descriptor.
    check(native_.receive(expected(), room_.data(), room_.size(), &arrival), "receive");
    if (arrival.event == earl_pvm_nothing) {
      drained_ = true;
      return n;
    }
    handle_arrival(arrival, sink);
  }
  return most_per_poll;
}

earl_pvm_expected PvmPort::expected() {
  if (std::exchange(input_, Input::none) != Input::something) return earl_pvm_perhaps;
  bool const one = board_->head().several_hosts == 0 && watches_ == 0 &&
                   my_row().frames.load(std::memory_order_acquire) == frames_ + 1;
  return one ? earl_pvm_one : earl_pvm_some;
}

void PvmPort::handle_arrival(earl_pvm_arrival const& arrival, PacketSink& sink) {
  Bytes const message = Bytes{room_}.first(arrival.size);
  if (arrival.event == earl_pvm_message) return packet(arrival.tid, message, sink);
  if (arrival.event == earl_pvm_shared) return shared_packet(arrival.tid, message, sink);
  if (watches_ > 0) --watches_;
  if (auto const known = ranks_.find(arrival.tid); known != ranks_.end())
    gone_.push_back(known->second);
}

/// A packet from a task that is not the rank it claims to be is dropped.
void PvmPort::packet(int tid, Bytes message, PacketSink& sink) {
  Frame frame;
  if (message.size() < sizeof frame) return;
  std::memcpy(&frame, message.data(), sizeof frame);
  const Rank source{frame.header.source};
  if (!is_peer(source)) return;
  if (too_early(source, tid)) return early_.push_back({tid, Buffer{Gather{message}}});
  if (task_of(source) == tid) in_order(frame, message, sink);
}

/// While two tasks request a direct route from each other, libpvm3 sends by the daemon, and then by
/// the route: later messages by the route may be faster.
void PvmPort::in_order(Frame const& frame, Bytes message, PacketSink& sink) {
  ++frames_;
  Bytes const payload = message.subspan(sizeof frame);
  if (by_daemon_) return accept(frame, payload, sink);
  Peer& from = peer(Rank{frame.header.source});
  if (frame.sequence > from.expected) from.overtaking.emplace(frame.sequence, Gather{message});
  if (frame.sequence != from.expected) return;
  ++from.expected;
  accept(frame, payload, sink);
  take_overtaking(from, sink);
}

void PvmPort::take_overtaking(Peer& from, PacketSink& sink) {
  while (!from.overtaking.empty() && from.overtaking.begin()->first == from.expected) {
    auto const next = from.overtaking.extract(from.overtaking.begin());
    Bytes const message = next.mapped().bytes();
    Frame frame;
    std::memcpy(&frame, message.data(), sizeof frame);
    ++from.expected;
    accept(frame, message.subspan(sizeof frame), sink);
  }
}

/// Not of one whose row is another's: nothing of it is awaited.
bool PvmPort::too_early(Rank source, int tid) {
  if (task_of(source) == 0) {
    if (board_->has_ended(source)) return false;
    board_->row(source).wanted.store(1);
    if (task_of(source) == 0) return board_->head().several_hosts != 0;
  }
  return std::ranges::any_of(early_, [&](auto const& one) { return one.tid == tid; });
}

std::size_t PvmPort::look_at_early(PacketSink& sink) {
  auto const waiting = std::exchange(early_, {});
  for (auto const& [tid, message] : waiting) packet(tid, message.bytes(), sink);
  return waiting.size() - early_.size();
}

void PvmPort::accept(Frame const& frame, Bytes payload, PacketSink& sink) {
  const Rank source{frame.header.source};
  Peer& from = peer(source);
  find_task(from, source);
  from.window.acknowledged(frame.consumed);
  from.window.consumed(sizeof frame + payload.size());
  if (from.window.owes_answer()) return_credit(from);
  if (frame.header.packet_kind() != Kind::none) sink.packet(frame.header, payload);
}

/// One without contact may have sent something that is not here yet: only if something is not here.
std::size_t PvmPort::observe_deaths() {
  std::size_t happened = 0;
  auto const observe = [&](Peer& dead) {
    drain_ended_peer(dead);
    ++happened;
  };
  notices_.read_deaths(
      *board_,
      [&](Rank rank) {
        if (rank != me_ && (peers_.contains(number(rank)) || may_have_sent())) observe(peer(rank));
      },
      [&] {
        for (auto const& [rank, known] : peers_)
          if (board_->has_ended(known->rank)) observe(*known);
      });
  return happened;
}

bool PvmPort::may_have_sent() const {
  return board_->head().several_hosts != 0 ||
         board_->row(me_).frames.load(std::memory_order_acquire) != frames_;
}

/// EXEC may give the rows of those that have ended to others.
void PvmPort::note_drained() {
  auto const read = notices_.deaths_read();
  if (dying_ == 0 && my_row().drained.load(std::memory_order_relaxed) != read)
    my_row().drained.store(read, std::memory_order_release);
}

/// EXEC knows of a death before the daemon does, which may still have packets of the dead. It says
/// so when it has none any more.
void PvmPort::drain_ended_peer(Peer& peer) {
  if (peer.dying) return;
  peer.dying = true;
  ++dying_;
  if (!find_task(peer, peer.rank)) return gone_.push_back(peer.rank);
  drained_ = false;
  ++watches_;
  input_ = Input::perhaps;  // asking takes in all available data
  check(native_.watch(peer.tid), "ask for the end of a task");
}

std::size_t PvmPort::mark_ended(PacketSink& sink) {
  auto const gone = std::exchange(gone_, {});
  for (const Rank rank : gone) {
    auto const peer = peers_.extract(number(rank));
    if (peer.empty()) continue;
    ranks_.erase(peer.mapped()->tid);
    --dying_;
    sink.gone(rank);
  }
  return gone.size();
}

}  // namespace earl::pvm_backend
