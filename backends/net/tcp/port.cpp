// SPDX-License-Identifier: BSD-3-Clause
#include "backends/net/tcp/port.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "generic/base/error.hpp"

namespace earl::tcp {

namespace {

constexpr std::size_t most_per_poll = 64;
constexpr int polls_per_time = 8;  ///< each is a system call
constexpr std::size_t largest_packet = largest_frame - sizeof(Header);

Board& checked(Board& board, Rank me) {
  if (!board.has(me))
    throw Error("process {} has no place in a job of at most {} processes; install Earl again",
                number(me), board.capacity());
  return board;
}

}  // namespace

TcpPort::TcpPort(std::unique_ptr<Board> board, Bell bell, Descriptor listener, Rank me,
                 WaitPolicy const& policy)
    : board_(std::move(board)),
      me_(me),
      waiter_(policy, AwakeEntry{board_->head().awake, checked(*board_, me).row(me).awake_on}),
      link_(checked(*board_, me).head().trust, me, std::move(listener), std::move(bell)),
      notices_(board_->notices_for(me)) {}

Limits TcpPort::limits() const { return {.packet = largest_packet, .eager = largest_packet}; }

/// False: where it listens is not known yet; the bell will be rung.
bool TcpPort::find_way(Rank to) {
  if (link_.knows(to)) [[likely]]
    return true;
  board_->row(to).wanted.store(1);
  if (!board_->has(to)) return false;
  auto const address = board_->address(to);
  // Else it may be that of the process which has its place by now.
  if (address.empty() || board_->has_ended(to)) return false;
  link_.connect(to, address);
  return true;
}

/// Messages to a process that has ended.
void TcpPort::drop_packet(Rank to) {
  ++lost_;
  observe_death(to);  // it may have been noticed before anything was sent to it
}

bool TcpPort::put(Rank to, Header const& header, Gather const& payload) {
  EARL_CHECK(board_->has_room_for(to) && to != me_, "rank {} seen from rank {}", number(to),
             number(me_));
  if (board_->has_ended(to)) {
    drop_packet(to);
    return true;
  }
  if (!find_way(to)) return false;
  constexpr std::size_t most_pieces = 6;
  std::array<Bytes, most_pieces + 1> pieces{bytes_of(header)};
  if (!payload.patterned() && payload.list().size() <= most_pieces) {
    std::ranges::copy(payload.list(), pieces.begin() + 1);
    return link_.send(to, Gather{std::span<Bytes const>{pieces}.first(1 + payload.list().size())});
  }
  const Buffer flat{payload};
  pieces[1] = flat.bytes();
  return link_.send(to, Gather{std::span<Bytes const>{pieces}.first(2)});
}

/// A packet whose sender is not the rank of its connection is dropped. One of a process on another
/// host may be faster than EXEC's word of that process.
void TcpPort::frame(Rank from, Bytes frame) {
  Header header;
  if (frame.size() < sizeof header || !board_->has_room_for(from)) return;
  std::memcpy(&header, frame.data(), sizeof header);
  if (header.source == number(from)) sink_->packet(header, frame.subspan(sizeof header));
}

std::size_t TcpPort::poll(PacketSink& sink) {
  sink_ = &sink;
  if (notices_.has_deaths()) observe_deaths();
  auto const known = dying_.size();
  auto happened = link_.progress(*this, most_per_poll);
  if (happened == 0 && known != 0) happened += mark_ended(sink, known);
  if (notices_.take_control_notice()) {
    ++happened;
    sink.on_control_ready();
  }
  if (link_.rejected_connections() != rejected_connections_) count_rejected_connections();
  // A caller that waits for the descriptor, not in wait(), must look again.
  if (may_mark_ended()) link_.wake();
  sink_ = nullptr;
  return happened;
}

void TcpPort::observe_deaths() {
  notices_.read_deaths(
      *board_, [this](Rank rank) { observe_death(rank); },
      [this] {
        for (auto const peer : link_.known())
          if (board_->has_ended(peer)) observe_death(peer);
      });
}

void TcpPort::observe_death(Rank rank) {
  if (link_.mark_ended(rank) && rank != me_) dying_.push_back(rank);
}

/// The ranks among the first `known` ended ones whose packets have all arrived: progress() has
/// looked, since their end was announced, for connections that had not been accepted.
std::size_t TcpPort::mark_ended(PacketSink& sink, std::size_t known) {
  std::vector<Rank> left;
  std::vector<Rank> gone;
  for (std::size_t i = 0; i < dying_.size(); ++i)
    if (i >= known || link_.may_receive_from(dying_[i])) {
      left.push_back(dying_[i]);
    } else {
      link_.part(dying_[i]);
      gone.push_back(dying_[i]);
    }
  dying_ = std::move(left);
  for (auto const rank : gone) sink.gone(rank);
  return gone.size();
}

/// For EXEC's account.
void TcpPort::count_rejected_connections() {
  board_->head().rejected_connections.fetch_add(link_.rejected_connections() -
                                                rejected_connections_);
  rejected_connections_ = link_.rejected_connections();
}

void TcpPort::wait(Deadline deadline) {
  if (has_notices()) return;
  if (deadline == Deadline{}) {
    ::sched_yield();
    return;
  }
  if (!await(deadline))
    waiter_.sleep(deadline, [&] {
      link_.sleep(deadline);
      return Deadline{};  // a socket does not say when something came
    });
}

bool TcpPort::await(Deadline deadline) {
  auto const& policy = waiter_.policy();
  if (policy.kind == WaitPolicy::Kind::automatic &&
      !policy.may_spin(board_->head().processes.load(std::memory_order_relaxed)))
    return false;
  return waiter_.await(deadline, {.looks = polls_per_time, .system_calls = true},
                       [this](int) { return link_.ready() || has_notices(); });
}

/// By EXEC, since poll() has looked; or an end is still to be reported.
bool TcpPort::has_notices() const { return notices_.pending() || may_mark_ended(); }

bool TcpPort::may_mark_ended() const {
  return std::ranges::any_of(dying_, [this](Rank rank) { return !link_.may_receive_from(rank); });
}

/// The other hosts have taken over all data sent to them, or the job ends with this host.
void TcpPort::leave() { link_.close(never); }

}  // namespace earl::tcp
