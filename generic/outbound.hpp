// SPDX-License-Identifier: BSD-3-Clause
/// Sends: which protocol a message takes, its place in the order, and the packets that cannot leave
/// at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "generic/flow_control.hpp"
#include "generic/operation.hpp"
#include "generic/peers.hpp"

namespace earl {

class Engine;

class Outbound {
 public:
  Outbound(Engine& engine, Endpoint& endpoint, std::uint64_t first_sequence)
      : engine_(engine),
        endpoint_(endpoint),
        port_(*endpoint.port),
        rank_(endpoint.rank),
        eager_(endpoint.limits.eager),
        peers_(endpoint, first_sequence),
        flow_(endpoint.table) {}

  /// All debuggers, from now on.
  void watch(Interceptor& debugger) {
    debugger_ = &debugger;
    piggybacks_ = debugger.piggybacks();
  }

  // Like Process's functions of the same names.
  void send(Envelope const& to, Gather const& bytes);
  void send_to_all(std::span<const Rank> ranks, Envelope const& to, Gather const& bytes);
  RequestId start_send(Envelope const& to, Gather const& bytes);
  /// RequestTable::start_send(), while there is neither a debugger nor a handler.
  RequestId start_unless_over(Envelope const& to, Gather const& bytes);

  // --- for the other parts
  void put_in_order(Rank dest, Channel& to, Header const& header, Gather const& payload) {
    if (to.outbox.empty() && port_.put(dest, header, payload)) [[likely]] {
      to.outbox_active = false;
      ++to.put;
    } else {
      send_or_queue(dest, to, header, payload);
    }
  }
  /// Sends a packet of a protocol; never waits, also inside poll(). A peer that is
  /// gone gets none.
  void put_protocol(Rank dest, Kind kind, Bytes payload, Mode mode = Mode::standard);
  /// Packets wait in outboxes.
  bool has_waiting() const { return waiting_packets_ != 0; }
  /// Says how many packets have left.
  std::size_t flush_outboxes();
  /// The peer is gone, with the messages sent to it.
  void close(Channel& channel);
  Peers& peers() { return peers_; }
  FlowControl& flow() { return flow_; }
  /// The messages that this process has sent to the receiver of `send`, which waits for room.
  SendBacklog backlog_before(Request const& send) const;

 private:
  using Microseconds = std::chrono::microseconds;

  /// Whether a send in this mode may wait for its receiver now, and whether it must.
  bool may_wait(Mode mode) const {
    if (mode == Mode::buffered_by_default) return must_wait(mode);
    if (mode == Mode::buffered || mode == Mode::synchronous) return mode == Mode::synchronous;
    return !(debugger_ && forced(SendRule::buffered));
  }
  bool must_wait(Mode mode) const {
    return mode == Mode::synchronous ||
           (is_by_default(mode) && debugger_ && forced(SendRule::synchronous));
  }
  bool forced(SendRule rule) const { return debugger_->send_rule() == rule; }
  bool within_share(Channel const& to, std::uint64_t length);
  bool has_room_for(Request const& request);
  bool has_room_for_all(std::span<const Rank> ranks, Gather const& bytes);
  [[gnu::cold, gnu::noinline]] void check_own_room(Envelope const& to, Channel const& channel,
                                                   std::uint64_t length);

  Envelope complete_envelope(Envelope const& to, Gather const& bytes) const;
  /// The result of a send, but for its id and whether it is lost.
  void write_result(Completion& result, Envelope const& to, std::size_t size) const;
  Header stamp(Kind kind, Envelope const& envelope, Channel& to, Gather const& bytes);
  [[gnu::noinline]] void notify_debugger_of_send_with_word(SendOp const& op);
  [[gnu::cold, gnu::noinline]] void notify_debugger_of_send(Envelope const& envelope,
                                                            Channel const& to, Gather const& bytes);

  [[gnu::cold, gnu::noinline]] void watch(Request& send, Gather const& memory);
  Request* launch(Envelope const& envelope, Gather const& bytes);
  [[gnu::noinline]] Request* launch_long(Envelope const& envelope, Channel& to,
                                         Gather const& bytes);
  std::vector<Request*> launch_all(std::span<const Rank> ranks, Envelope const& to,
                                   Gather const& bytes);
  void put_all(std::span<const Rank> ranks, Envelope const& to, Gather const& bytes);
  bool all_may_leave(std::span<const Addressed> all);
  [[gnu::noinline]] Request* deliver_to_self(Envelope const& to, Channel& channel,
                                             Gather const& bytes);
  Request* defer_send(Envelope const& envelope, Gather const& bytes);
  Request& open_send(Envelope const& envelope);
  RequestId name_started(Request* request, Envelope const& to, Gather const& bytes,
                         std::uint64_t sequence);
  [[gnu::noinline]] void await_sent(std::span<Request* const> requests);
  void stop_waiting(Request& request);

  [[gnu::cold, gnu::noinline]] void send_or_queue(Rank dest, Channel& to, Header const& header,
                                                  Gather const& payload);
  void append_to_outbox(Rank dest, Channel& to, Header const& header, Gather const& payload);
  bool wait_for_room(Rank dest, Channel& to, Header const& header, Gather const& payload);
  bool wait_for_room(Rank dest, Header const& header, Gather const& payload, Microseconds limit);

  Engine& engine_;
  Endpoint& endpoint_;
  Port& port_;
  const Rank rank_;
  const std::size_t eager_;
  Interceptor* debugger_ = nullptr;
  bool piggybacks_ = false;
  Peers peers_;
  FlowControl flow_;
  std::size_t waiting_packets_ = 0;
  /// The longest time until the first packet to a process leaves: a connection is made, in which
  /// the other end takes part as soon as it waits for anything.
  static constexpr Microseconds first_contact_wait{50'000};
  Microseconds contact_wait_ = first_contact_wait;
};

}  // namespace earl
