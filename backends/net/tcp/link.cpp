// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/tcp/link.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "generic/base/error.hpp"
#include "generic/system/poll_until.hpp"

namespace earl::tcp {

namespace {

/// A peer that died refuses connections before EXEC has said that it died.
constexpr auto timeout = std::chrono::seconds{10};
constexpr auto pause = std::chrono::milliseconds{20};
/// Connections that have not shown yet that they belong to the job.
constexpr std::size_t most_unproven = 256;

}  // namespace

std::string TcpLink::rank_name(Rank peer) { return fmt::format("rank {}", number(peer)); }

TcpLink::TcpLink(PeerCredentials const& trust, Rank me, Descriptor listener, Bell bell, Names names)
    : trust_(trust),
      me_(me),
      names_(std::move(names)),
      listener_(std::move(listener)),
      bell_(std::move(bell)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      next_incoming_(first_incoming) {
  if (!epoll_)
    throw Error(Fault::full, "cannot create an epoll descriptor: {}", system_message(errno));
  add(bell_.get(), the_bell, EPOLLIN);
  add(listener_.get(), the_listener, EPOLLIN);
}

void TcpLink::add(int socket, std::uint64_t id, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket, &event) != 0)
    throw Error(Fault::full, "one connection more cannot be waited for: {}", system_message(errno));
}

void TcpLink::connect(Rank to, std::string_view address) {
  peers_.try_emplace(number(to), Peer{.address = std::string(address)});
}

void TcpLink::open(Peer& peer, Rank to) {
  auto const endpoint = socket_address_from(peer.address);
  if (!endpoint) throw Error("{} gave \"{}\" for an address", names_(to), peer.address);
  peer.way = std::make_unique<Outgoing>(*endpoint);
  peer.events = peer.way->events();
  add(peer.way->socket(), index(to), peer.events);
}

/// Updates the events that epoll watches for this connection.
void TcpLink::watch(Peer& peer, Rank to) {
  auto const wanted = peer.way->events();
  if (wanted == peer.events) return;
  epoll_event event{};
  event.events = wanted;
  event.data.u64 = index(to);
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, peer.way->socket(), &event);
  peer.events = wanted;
}

void TcpLink::went_on(Peer& peer, Rank to) {
  if (peer.way->state() == Outgoing::State::broken) return failed(peer, to);
  if (peer.way->state() == Outgoing::State::open && peer.failing_since != Deadline{}) {
    peer.failing_since = {};
    --failing_;
  }
  watch(peer, to);
}

/// It may have ended, which EXEC will say; or it cannot be reached, which must be said here.
void TcpLink::failed(Peer& peer, Rank to) {
  auto const now = Clock::now();
  if (peer.failing_since == Deadline{}) {
    peer.failing_since = now;
    ++failing_;
  }
  peer.next_try = peer.way->lossy() ? never : now + pause;
  if (peer.way->lossy()) return link_broke(to, peer.way->reason());
  if (now - peer.failing_since > timeout)
    throw Error("{} cannot be reached at {}: {}", names_(to), peer.address, peer.way->reason());
}

/// False: not yet.
bool TcpLink::try_again(Peer& peer, Rank to) {
  auto const now = Clock::now();
  if (now - peer.failing_since > timeout) failed(peer, to);
  if (now < peer.next_try) return false;
  open(peer, to);
  return true;
}

bool TcpLink::send(Rank to, Gather const& frame) {
  auto& peer = peers_.at(number(to));
  if (!peer.way) open(peer, to);
  if (peer.way->state() == Outgoing::State::broken && !try_again(peer, to)) return false;
  bool const sent = peer.way->send(frame);
  went_on(peer, to);
  return sent;
}

bool TcpLink::mark_ended(Rank peer) {
  if (!ended_.insert(number(peer)).second) return false;
  seen_ = 0;  // later events are after its end
  clear(peer);
  auto const found = peers_.find(number(peer));
  if (found == peers_.end()) return true;
  if (found->second.failing_since != Deadline{}) --failing_;
  peers_.erase(found);
  return true;
}

std::vector<Rank> TcpLink::known() const {
  std::vector<Rank> all;
  for (auto const& [rank, peer] : peers_) all.push_back(Rank{rank});
  for (auto const& [id, connection] : incoming_)
    if (connection.from() != no_rank) all.push_back(connection.from());
  return all;
}

bool TcpLink::may_receive_from(Rank peer) const {
  return std::ranges::any_of(incoming_,
                             [peer](auto const& entry) { return entry.second.from() == peer; });
}

bool TcpLink::all_acknowledged() const {
  return std::ranges::all_of(peers_, [](auto const& entry) {
    return !entry.second.way || entry.second.way->all_acknowledged();
  });
}

/// Seen events are kept until progress() has dealt with them.
bool TcpLink::poll_events() {
  if (seen_ == 0)
    seen_ = std::max(
        0, ::epoll_wait(epoll_.get(), events_.data(), static_cast<int>(events_.size()), 0));
  return seen_ != 0;
}

/// Events that are left over come again.
std::size_t TcpLink::progress(net::FrameSink& sink, std::size_t most) {
  poll_events();
  auto const count = static_cast<std::size_t>(std::exchange(seen_, 0));
  std::size_t events = 0;
  for (std::size_t i = 0; i < count && events < most; ++i) {
    auto const id = events_[i].data.u64;
    if (id == the_bell) {
      bell_.listen();
    } else if (id == the_listener) {
      admit();
    } else if (id == the_clock) {
      judge();
    } else if (id >= first_incoming) {
      events += receive(id, sink);
    } else if (auto const found = peers_.find(static_cast<std::int32_t>(id));
               found != peers_.end() && found->second.way) {
      const Rank to{found->first};
      found->second.way->go_on({.trust = trust_, .from = me_, .to = to});
      went_on(found->second, to);
    }
  }
  return events;
}

void TcpLink::admit() {
  while (auto socket = accept_from(listener_.get())) {
    int const fd = socket.get();
    auto const id = next_incoming_++;
    auto const [entry, fresh] = incoming_.try_emplace(id, std::move(socket), trust_.protection);
    if (entry->second.state() == Incoming::State::closed) {
      incoming_.erase(entry);
      ++rejected_connections_;
      continue;
    }
    add(fd, id, EPOLLIN);
    limit_unauthenticated();
  }
}

/// The oldest of too many that say nothing makes room.
void TcpLink::limit_unauthenticated() {
  std::uint64_t oldest = next_incoming_;
  std::size_t unproven = 0;
  for (auto const& [id, connection] : incoming_) {
    if (connection.state() != Incoming::State::unauthenticated) continue;
    ++unproven;
    oldest = std::min(oldest, id);
  }
  if (unproven <= most_unproven) return;
  incoming_.erase(oldest);
  ++rejected_connections_;
}

std::size_t TcpLink::receive(std::uint64_t id, net::FrameSink& sink) {
  auto const found = incoming_.find(id);
  if (found == incoming_.end()) return 0;
  auto& connection = found->second;
  auto const frames = connection.receive(
      trust_.secret, me_, [&](Bytes frame) { sink.frame(connection.from(), frame); });
  if (connection.state() != Incoming::State::closed) return frames;
  drop(id, sink);
  return frames + 1;
}

void TcpLink::drop(std::uint64_t id, net::FrameSink& sink) {
  auto const gone = incoming_.extract(id);
  auto const& connection = gone.mapped();
  if (connection.from() == no_rank) {
    ++rejected_connections_;
    return;
  }
  if (connection.tampered_with())
    throw Error(
        "the connection with {} cannot be trusted: a frame is not as it was sent, or not the next; "
        "look for a device that changes packets between these hosts",
        names_(connection.from()));
  if (!connection.reason().empty()) link_broke(connection.from(), connection.reason());
  sink.down(connection.from(), connection.reason());
}

bool TcpLink::ready() { return woken_.load(std::memory_order_relaxed) || poll_events(); }

void TcpLink::sleep(Deadline deadline) {
  if (woken_.exchange(false) || seen_ != 0) return;
  if (failing_ != 0) deadline = std::min(deadline, Clock::now() + pause);
  pollfd look{.fd = epoll_.get(), .events = POLLIN, .revents = 0};
  poll_until({&look, 1}, deadline);
  woken_.store(false);
}

void TcpLink::wake() {
  woken_.store(true);
  bell_.ring();
}

std::string TcpLink::route_description(Rank to) const {
  auto const found = peers_.find(number(to));
  return found == peers_.end() ? "TCP" : "TCP " + found->second.address;
}

}  // namespace earl::tcp
