// SPDX-License-Identifier: BSD-3-Clause
#include "generic/seams/route_port.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "generic/base/error.hpp"

namespace earl {

namespace {

/// A full route may have to be tried again without an event: its other end was not there yet.
constexpr auto try_again = std::chrono::milliseconds{5};
constexpr std::uint64_t something_came = 0;
constexpr std::uint64_t the_end = 1;

/// A thread for which the program's signals are not meant.
template <class Run>
std::thread quiet_thread(Run run) {
  sigset_t all{};
  sigset_t before{};
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(run);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

RoutePort::RoutePort(std::unique_ptr<Port> here, std::unique_ptr<Port> away, IdTable table, Rank me)
    : here_(std::move(here)),
      away_(std::move(away)),
      table_(table),
      host_(0),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      stop_(::eventfd(0, EFD_CLOEXEC)) {
  auto const* row = table_.find(me);
  EARL_CHECK(row && away_->wait_fd() >= 0, "rank {} among several hosts", number(me));
  host_ = row->host;
  if (!epoll_ || !stop_) throw Error(Fault::full, "nothing to wait in: {}", system_message(errno));
  look_out(EPOLL_CTL_ADD);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = the_end;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, stop_.get(), &event);
  watcher_ = quiet_thread([this] { watch(); });
}

RoutePort::~RoutePort() {
  std::uint64_t const one = 1;
  [[maybe_unused]] auto const written = ::write(stop_.get(), &one, sizeof one);
  watcher_.join();
}

/// For one event; it fires at once if it is there already.
void RoutePort::look_out(int operation) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLONESHOT;
  event.data.u64 = something_came;
  ::epoll_ctl(epoll_.get(), operation, away_->wait_fd(), &event);
}

void RoutePort::watch() {
  for (;;) {
    epoll_event event{};
    if (::epoll_wait(epoll_.get(), &event, 1, -1) <= 0) continue;
    if (event.data.u64 == the_end) return;
    fired_.store(true);
    here_->wake();
  }
}

Limits RoutePort::limits() const {
  auto const one = here_->limits();
  auto const other = away_->limits();
  return {.packet = std::min(one.packet, other.packet),
          .eager = std::min(one.eager, other.eager),
          .spawns = one.spawns && other.spawns,
          .outlives_a_death = one.outlives_a_death && other.outlives_a_death,
          .leaves_together = one.leaves_together || other.leaves_together};
}

/// The row may become another's while it is read. A process whose row is another's has ended on
/// both machines.
Port* RoutePort::port_for(Rank rank) const {
  auto const* const row = table_.find(rank);
  if (!row) return table_.given(rank) ? away_.get() : nullptr;
  auto const state = static_cast<RankState>(row->state.load(std::memory_order_acquire));
  bool const here = row->host == host_;
  if (table_.find(rank) != row) return away_.get();
  if (state == RankState::unused || state == RankState::reserved) return nullptr;
  return here ? here_.get() : away_.get();
}

bool RoutePort::put(Rank to, Header const& header, Gather const& payload) {
  auto* const way = port_for(to);
  if (way == here_.get()) return way->put(to, header, payload);
  no_room_ = !way || !way->put(to, header, payload);
  return !no_room_;
}

std::size_t RoutePort::poll(PacketSink& sink) {
  auto happened = here_->poll(sink);
  if (fired_.load(std::memory_order_acquire)) {
    fired_.store(false);
    happened += away_->poll(sink);
    look_out(EPOLL_CTL_MOD);
  }
  return happened;
}

void RoutePort::wait(Deadline deadline) {
  if (fired_.load(std::memory_order_acquire)) return;
  if (no_room_ && deadline != Deadline{}) deadline = std::min(deadline, Clock::now() + try_again);
  here_->wait(deadline);
}

DirectTransfer* RoutePort::direct_transfer_to(Rank rank) const {
  return port_for(rank) == here_.get() ? here_transfer_ : away_transfer_;
}

Remote RoutePort::post_direct_receive(Envelope const& message, TransferId transfer,
                                      Scatter const& to) {
  auto* const direct = direct_transfer_to(message.source);
  return direct ? direct->post_direct_receive(message, transfer, to) : Remote{};
}

void RoutePort::cancel_direct_receive(Rank from, Remote const& target) {
  direct_transfer_to(from)->cancel_direct_receive(from, target);
}

void RoutePort::start_direct_send(Rank to, Remote const& target, Bytes bytes) {
  direct_transfer_to(to)->start_direct_send(to, target, bytes);
}

void RoutePort::finish_direct_send(Rank to, Remote const& target) {
  direct_transfer_to(to)->finish_direct_send(to, target);
}

/// The farther way takes longer, and then no process here has to wait for it.
void RoutePort::leave() {
  away_->leave();
  here_->leave();
}

bool RoutePort::ended(Rank rank) {
  auto* const way = port_for(rank);
  return way && way->ended(rank);
}

}  // namespace earl
