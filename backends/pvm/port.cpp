#include "backends/pvm/port.hpp"

#include <poll.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "generic/error.hpp"
#include "generic/poll_until.hpp"

namespace earl::pvm_machine {

namespace {

constexpr std::size_t most_per_poll = 64;
/// Longer messages are offered first.
constexpr std::size_t largest_packet = Window::largest_frame - sizeof(Frame);

/// PVM's numbers for what can go wrong here.
constexpr int no_daemon = -14;

char const* words_for(int error) {
  return error == no_daemon ? "its daemon (pvmd) does not answer" : "its library refused";
}

int succeeded(int result, char const* what) {
  if (result < 0) throw Error("PVM cannot {}: {} (PVM error {})", what, words_for(result), result);
  return result;
}

template <class Visit>
void for_each_piece(Gather const& gather, Visit const& visit) {
  for (auto const& piece : gather.list())
    visit(iovec{const_cast<std::byte*>(piece.data()), piece.size()});
}

}  // namespace

PortSettings PortSettings::from_environment() {
  char const* const text = std::getenv("EARL_PVM_ROUTE");
  const std::string_view word = text ? text : "daemon";
  if (word != "daemon" && word != "direct")
    throw Error("EARL_PVM_ROUTE is \"{}\"; it can be daemon or direct", word);
  return {.route = word == "direct" ? Route::direct : Route::daemon};
}

PvmPort::PvmPort(std::unique_ptr<Board> board, Bell bell, Rank me, earl_pvm_native const& native,
                 PortSettings const& settings)
    : board_(std::move(board)),
      bell_(std::move(bell)),
      me_(me),
      native_(native),
      room_(Window::largest_frame) {
  if (!board_->has(me))
    throw Error("process {} has no place in a job of at most {} processes", number(me),
                board_->capacity());
  auto const& head = board_->head();
  int const tid =
      succeeded(native_.enrol(head.socket, head.context, settings.route == Route::direct),
                "enrol this process");
  my_row().tid.store(tid);
}

Limits PvmPort::limits() const { return {.packet = largest_packet, .eager = largest_packet}; }

PvmPort::Peer& PvmPort::peer(Rank rank) {
  if (index(rank) >= peers_.size()) peers_.resize(index(rank) + 1);
  auto& peer = peers_[index(rank)];
  if (!peer) {
    EARL_CHECK(board_->has(rank) && rank != me_, "rank {} seen from rank {}", number(rank),
               number(me_));
    peer = std::make_unique<Peer>();
    peer->rank = rank;
    if (board_->has_ended(rank)) mourn(*peer);
  }
  return *peer;
}

/// False: it has not enrolled yet; EXEC will ring when it has.
bool PvmPort::find_task(Peer& peer, Rank rank) {
  if (peer.tid != 0) [[likely]]
    return true;
  auto& row = board_->row(rank);
  row.wanted.store(1);
  peer.tid = row.tid.load();
  if (peer.tid == 0) return false;
  ranks_.emplace(peer.tid, rank);
  return true;
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

void PvmPort::send(Peer& to, Header const& header, Gather const& payload) {
  constexpr std::size_t most_pieces = 8;
  Frame const frame{.consumed = to.window.tell(), .header = header};
  std::array<iovec, most_pieces> pieces{iovec{const_cast<Frame*>(&frame), sizeof frame}};
  Buffer flat;
  std::size_t count = 1;
  if (payload.list().size() < most_pieces) {
    for_each_piece(payload, [&](iovec const& piece) { pieces[count++] = piece; });
  } else {
    flat = Buffer{payload};
    pieces[count++] = {flat.data(), flat.size()};
  }
  board_->row(to.rank).frames.fetch_add(1, std::memory_order_release);
  succeeded(native_.send(to.tid, pieces.data(), static_cast<int>(count)), "send");
  // It reads while it sends: it may have what is owed to this process now.
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
  auto const knocks = my_row().knocks.load(std::memory_order_acquire);
  if (knocks != knocks_) {
    knocks_ = knocks;
    ++happened;
    sink.knock();
  }
  if (board_->head().deaths.load(std::memory_order_acquire) != deaths_)
    happened += hear_of_deaths();
  if (!gone_.empty() && drained_ && !more_to_read()) happened += bury(sink);
  return happened;
}

/// Asking PVM costs two system calls when there is nothing. Senders count in memory what they send,
/// so that a process that is owed nothing need not ask.
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
    // What is left in a descriptor, wait() finds again.
    bool const there = std::exchange(input_, Input::none) == Input::something;
    succeeded(native_.receive(there ? 1 : 0, room_.data(), room_.size(), &arrival), "receive");
    if (arrival.event == earl_pvm_nothing) {
      drained_ = true;
      return n;
    }
    heard(arrival, sink);
  }
  return most_per_poll;
}

void PvmPort::heard(earl_pvm_arrival const& arrival, PacketSink& sink) {
  if (arrival.event == earl_pvm_message)
    return packet(arrival.tid, Bytes{room_}.first(arrival.size), sink);
  if (watches_ > 0) --watches_;
  if (auto const known = ranks_.find(arrival.tid); known != ranks_.end())
    gone_.push_back(known->second);
}

/// What comes from a task that is not the rank it claims to be is nobody's.
void PvmPort::packet(int tid, Bytes message, PacketSink& sink) {
  Frame frame;
  if (message.size() < sizeof frame) return;
  std::memcpy(&frame, message.data(), sizeof frame);
  const Rank source{frame.header.source};
  if (!board_->has(source) || source == me_) return;
  if (too_early(source, tid)) return early_.push_back({tid, Buffer{Gather{message}}});
  if (board_->row(source).tid.load() == tid) accept(source, message, sink);
}

/// Also what comes after something that was.
bool PvmPort::too_early(Rank source, int tid) {
  auto& row = board_->row(source);
  if (row.tid.load() == 0) row.wanted.store(1);
  if (row.tid.load() == 0) return board_->head().several_hosts != 0;
  return std::ranges::any_of(early_, [&](auto const& one) { return one.tid == tid; });
}

std::size_t PvmPort::look_at_early(PacketSink& sink) {
  auto const waiting = std::exchange(early_, {});
  for (auto const& [tid, message] : waiting) packet(tid, message.bytes(), sink);
  return waiting.size() - early_.size();
}

void PvmPort::accept(Rank source, Bytes message, PacketSink& sink) {
  Frame frame;
  std::memcpy(&frame, message.data(), sizeof frame);
  ++frames_;
  Peer& from = peer(source);
  find_task(from, source);
  from.window.acknowledged(frame.consumed);
  from.window.consumed(message.size());
  if (from.window.owes_answer()) return_credit(from);
  if (frame.header.packet_kind() != Kind::none)
    sink.packet(frame.header, message.subspan(sizeof frame));
}

/// Of those that this process has never heard of it need not hear now; their packets may still
/// come.
std::size_t PvmPort::hear_of_deaths() {
  auto const deaths = board_->head().deaths.load(std::memory_order_acquire);
  std::size_t happened = 0;
  for (; deaths_ != deaths && deaths_ < board_->capacity(); ++deaths_) {
    const Rank rank = board_->dead(deaths_);
    if (index(rank) >= peers_.size() || !peers_[index(rank)]) continue;
    mourn(*peers_[index(rank)]);
    ++happened;
  }
  return happened;
}

/// EXEC knows of a death before the daemon does, which may still have packets of the dead. It says
/// so when it has none any more.
void PvmPort::mourn(Peer& peer) {
  if (peer.dying) return;
  peer.dying = true;
  if (!find_task(peer, peer.rank)) return gone_.push_back(peer.rank);
  drained_ = false;
  ++watches_;
  input_ = Input::perhaps;  // asking takes in what is there
  succeeded(native_.watch(peer.tid), "ask for the end of a task");
}

std::size_t PvmPort::bury(PacketSink& sink) {
  auto const gone = std::exchange(gone_, {});
  for (const Rank rank : gone) sink.gone(rank);
  return gone.size();
}

/// Whether something of the dead may be in a direct route's socket.
bool PvmPort::more_to_read() const {
  auto files = readable_files();
  return ::poll(files.data(), files.size(), 0) > 0;
}

std::vector<pollfd> PvmPort::readable_files() const {
  int* list = nullptr;
  int const count = succeeded(native_.descriptors(&list), "say what it waits for");
  std::vector<pollfd> files;
  for (int i = 0; i < count; ++i) files.push_back({.fd = list[i], .events = POLLIN, .revents = 0});
  return files;
}

void PvmPort::wait(Deadline deadline) {
  if (woken_.exchange(false) || left_ || (!drained_ && may_have_more()) || told_more()) return;
  if (deadline == Deadline{}) {
    ::sched_yield();
    return;
  }
  auto files = readable_files();
  files.push_back({.fd = bell_.get(), .events = POLLIN, .revents = 0});
  poll_until(files, deadline);
  if (files.back().revents != 0) bell_.listen();
  files.pop_back();
  if (std::ranges::any_of(files, [](auto const& file) { return file.revents != 0; }))
    input_ = Input::something;
  woken_.store(false);
}

/// By EXEC, since poll() has looked.
bool PvmPort::told_more() {
  return my_row().knocks.load(std::memory_order_relaxed) != knocks_ ||
         board_->head().deaths.load(std::memory_order_relaxed) != deaths_;
}

void PvmPort::wake() {
  woken_.store(true);
  bell_.ring();
}

/// Without this the daemon drops what it has not read yet when the process ends.
void PvmPort::leave() {
  if (left_) return;
  left_ = true;
  native_.leave();  // a daemon that is gone has nothing to take over: EXEC says so
}

}  // namespace earl::pvm_machine
