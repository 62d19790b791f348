// SPDX-License-Identifier: BSD-3-Clause
/// The implementation of a Process: queues, channels, transfers, and the protocols over one Port.
/// Split by chapter: engine.cpp (life, progress), sending.cpp, receiving.cpp, probing.cpp,
/// completion.cpp, rendezvous.cpp, handlers.cpp, reporting.cpp.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "generic/channel.hpp"
#include "generic/exec_client.hpp"
#include "generic/flow_control.hpp"
#include "generic/handler_queue.hpp"
#include "generic/matcher.hpp"
#include "generic/process.hpp"
#include "generic/seams/interceptor_stack.hpp"
#include "generic/seams/mover.hpp"
#include "generic/transfer.hpp"
#include "generic/wait_monitor.hpp"

namespace earl {

/// The start of a protocol packet's payload.
template <class T>
T from_bytes(Bytes payload) {
  if (payload.size() < sizeof(T))
    throw Error("a protocol packet is cut: {} bytes of {}", payload.size(), sizeof(T));
  T value;
  std::memcpy(&value, payload.data(), sizeof value);
  return value;
}

class Engine final : private PacketSink, public Host {
 public:
  /// `call`: the API call that is under way, kept up to date by the Process.
  Engine(ProcessParts parts, Call const& call);

  // Host
  Rank rank() const override { return rank_; }
  std::uint32_t initial_size() const override { return table_.initial(); }
  Deadline noted_time() const override { return port_->noted_time(); }
  std::size_t stack(std::span<void const*> room) const override;
  [[noreturn]] void stop(int exit_code, std::string_view sentence) override;

  Limits const& limits() const { return limits_; }

  // Sending
  void send(Envelope const& to, Gather const& bytes);
  void send_to_all(std::span<const Rank> ranks, Envelope const& to, Gather const& bytes);
  RequestId start_send(Envelope const& to, Gather const& bytes);
  bool send_synchronous(Envelope const& to, Gather const& bytes);

  // Receiving
  Completion receive(MatchSpec const& spec, Scatter const& room);
  RequestId start_receive(MatchSpec const& spec, Scatter const& room);
  Message take(MatchSpec const& spec);
  std::optional<Message> try_take(MatchSpec const& spec, Deadline deadline);
  Found probe(MatchSpec const& spec);
  std::optional<Found> try_probe(MatchSpec const& spec);
  [[gnu::noinline]] std::pair<std::size_t, Completion> receive_any_of(
      std::span<const MatchSpec> specs, Scatter const& room);
  std::pair<std::size_t, Message> take_any_of(std::span<const MatchSpec> specs);
  std::uint64_t flush(MatchSpec const& spec);
  std::uint64_t flush_beyond(MatchSpec const& spec, std::uint64_t room);

  // Completion
  Completion wait(RequestId id);
  std::optional<Completion> test(RequestId id);
  std::pair<std::size_t, Completion> wait_any(std::span<const RequestId> ids);
  std::optional<std::pair<std::size_t, Completion>> test_any(std::span<const RequestId> ids);
  std::vector<std::pair<std::size_t, Completion>> wait_some(std::span<const RequestId> ids);
  std::vector<std::pair<std::size_t, Completion>> test_some(std::span<const RequestId> ids);
  std::vector<Completion> wait_all(std::span<const RequestId> ids);
  std::optional<std::vector<Completion>> test_all(std::span<const RequestId> ids);
  bool cancel(RequestId id);

  // Handlers
  void on_completion(RequestId id, CompletionHandler handler);
  bool mask_handlers(bool hold);
  HandlerQueue& handlers() { return handlers_; }

  // The rest
  /// Lets messages move and handlers run.
  std::size_t progress();
  /// Handlers that are due run, if there can be any.
  void run_due_handlers() {
    if (handlers_.in_use()) [[unlikely]]
      run_handlers(handlers_.next_safepoint());
  }
  void idle();
  WaitMonitor& monitor() { return monitor_; }
  void leave();
  /// Sets the receiver of notifications from now on.
  Interceptor* watch(std::unique_ptr<Interceptor> debugger);
  ExecClient& exec() { return exec_; }
  /// Null: there is none.
  Interceptor* debugger() const { return watch_; }
  Deadline now() { return port_->now(); }
  /// No message has been sent or is waited for.
  bool untouched() const { return channels_.empty() && posts_ == 0; }
  /// A tag for the next collective of a context: the same on all members.
  Tag collective_tag(Context context);

  // --- for its parts
  /// What it answers when EXEC asks whether it can go on.
  Report report();
  /// A whole message is here: the oldest receive that accepts it gets it, or it waits for one; then
  /// it is given.
  Arrival* arrived(Envelope const& envelope, MessageId const& id, Bytes payload);
  /// Lets messages move; no handler runs.
  std::size_t pump();
  /// wait_until() where the program waits: handlers run, before `ready()` is asked each time.
  template <class Ready>
  bool wait_running_handlers(Ready ready, WaitState const& want, Deadline deadline = never) {
    if (!handlers_.in_use()) [[likely]]
      return wait_until(ready, want, deadline);
    return wait_at_safepoint(handlers_.next_safepoint(), ready, want, deadline);
  }
  template <class Ready>
  bool wait_at_safepoint(std::uint64_t point, Ready ready, WaitState const& want,
                         Deadline deadline) {
    return wait_until(
        [&] {
          run_handlers(point);
          return ready();
        },
        want, deadline);
  }
  /// Comes before a question that debuggers answer. Handlers run until it can be answered; in a
  /// replay those that ran here then, so that question and answer have nothing between them.
  template <class Ready>
  void run_due_handlers_before(Ready ready, WaitState const& want, Deadline deadline = never) {
    if (!handlers_.in_use()) [[likely]]
      return;
    const std::uint64_t here = handlers_.next_safepoint();
    if (run_handlers(here) == Verdict::free) wait_at_safepoint(here, ready, want, deadline);
  }

  /// Lets messages move until `ready()` or the deadline; says whether it is ready. No handler runs.
  template <class Ready>
  bool wait_until(Ready ready, WaitState const& want, Deadline deadline = never) {
    if (ready()) return true;
    if (watch_) watch_->blocked();
    const WaitMonitor::Pause pause(monitor_, want, deadline != never);
    while (!ready()) {
      if (pump() != 0) continue;
      if (deadline != never && port_->now() >= deadline) break;
      sleep(deadline);
    }
    if (watch_) watch_->resumed();
    return ready();
  }

 private:
  using Microseconds = std::chrono::microseconds;

  // PacketSink
  void packet(Header const& header, Bytes payload) override;
  void moved(Rank from, TransferId transfer, bool ok) override;
  void gone(Rank rank) override;
  void on_control_ready() override;

  /// Whether a send in this mode may wait for its receiver now, and whether it must.
  bool may_wait(Mode mode) const {
    if (mode == Mode::buffered_by_default) return must_wait(mode);
    return mode != Mode::buffered && !(watch_ && watch_->send_rule() == SendRule::buffered);
  }
  bool must_wait(Mode mode) const {
    return mode == Mode::synchronous || (mode == Mode::buffered_by_default && watch_ &&
                                         watch_->send_rule() == SendRule::synchronous);
  }
  /// Whether a message may be sent to be kept. Handlers and replays never wait for room: a replay's
  /// receives come as recorded, for any waits of its sends.
  bool has_room(Channel const& to, std::uint64_t length) {
    return flow_.has_room(to, charge_of(length)) || handlers_.running() ||
           (watch_ && watch_->send_rule() == SendRule::buffered);
  }
  /// A channel lives until its peer is gone, which pump() may find out.
  Channel& channel(Rank rank) {
    Channel* const known = channels_.find(rank);
    return known ? *known : new_channel(rank);
  }
  Channel& new_channel(Rank rank);
  Channel& channel_to(Rank dest) {
    Channel* const known = channels_.find(dest);
    return known ? *known : first_contact(dest);
  }
  void close_channel(Channel& channel);
  void fetch_offers(Rank gone);
  /// Whether memory in several pieces is packed as it leaves, never into a copy of the whole.
  bool packs_late() const { return limits_.streams || !limits_.exposes; }
  /// A peer that has left stays until its offers have been read, so its bytes still come on
  /// request.
  bool waits_for_readers() const { return limits_.exposes && !limits_.keeps; }
  /// A peer that is gone, of which all has been fetched that could be.
  bool has_nothing_left(Rank from) const { return !waits_for_readers() && !channels_.find(from); }
  [[gnu::cold, gnu::noinline]] Channel& first_contact(Rank dest);

  // sending.cpp
  Header stamp(Kind kind, Envelope const& envelope, Channel& to, Gather const& bytes);
  [[gnu::cold, gnu::noinline]] void notify_debugger_of_send(Envelope const& envelope,
                                                            Channel const& to, Gather const& bytes);
  Envelope complete_envelope(Envelope const& to, Gather const& bytes) const;
  Request* launch(Envelope const& envelope, Gather const& bytes);
  [[gnu::noinline]] Request* launch_long(Envelope const& envelope, Channel& to,
                                         Gather const& bytes);
  Request* withhold(Envelope const& envelope, Gather const& bytes);
  Request& open_send(Envelope const& envelope);
  bool has_room_for(Request const& request);
  void stop_waiting(Request& request);
  std::vector<Request*> launch_all(std::span<const Rank> ranks, Envelope const& to,
                                   Gather const& bytes);
  void put_all(std::span<const Rank> ranks, Envelope const& to, Gather const& bytes);
  bool all_may_leave(std::span<const Addressed> all);
  bool has_room_for_all(std::span<const Rank> ranks, Gather const& bytes);
  [[gnu::cold, gnu::noinline]] void check_own_room(Envelope const& to, Channel const& channel,
                                                   std::uint64_t length);
  [[gnu::noinline]] void await_sent(std::span<Request* const> requests);
  [[gnu::noinline]] Request* deliver_to_self(Envelope const& to, Channel& channel,
                                             Gather const& bytes);
  void put_in_order(Rank dest, Channel& to, Header const& header, Gather const& payload) {
    if (to.outbox.empty() && port_->put(dest, header, payload)) [[likely]] {
      to.outbox_active = false;
      ++to.put;
    } else
      send_or_queue(dest, to, header, payload);
  }
  [[gnu::cold, gnu::noinline]] void send_or_queue(Rank dest, Channel& to, Header const& header,
                                                  Gather const& payload);
  void append_to_outbox(Rank dest, Channel& to, Header const& header, Gather const& payload);
  bool wait_for_room(Rank dest, Channel& to, Header const& header, Gather const& payload);
  bool wait_for_room(Rank dest, Header const& header, Gather const& payload, Microseconds limit);
  void put_protocol(Rank dest, Kind kind, Bytes payload, Mode mode = Mode::standard);
  std::size_t flush_outboxes();

  // rendezvous.cpp
  Transfer& offer(Rank dest, Channel& to, Header const& header, Gather const& bytes,
                  Request* request);
  void release_buffer(Transfer& transfer);
  void watch_offer(Transfer& transfer, std::uint64_t name);
  void charge(Transfer& transfer);
  bool claimed_soon(Transfer& transfer, std::uint64_t name);
  bool claimed(Transfer const& transfer);
  bool settle(Transfer& transfer);
  void accepted(Bytes payload);
  void push(Transfer& transfer);
  Bytes piece_to_push(Transfer& transfer, std::size_t size);
  bool push_piece(Transfer& transfer);
  std::size_t push_pieces();
  void finish(Transfer& transfer, bool lost);
  void fetch(Request& request, Rank from, Offer const& offer);
  void accept(Request& request, Rank from, TransferId transfer);
  void fetched(Request& request, Rank from, Offer const& offer, bool ok);
  void lose(Request& request);
  void notify_debugger_of_loss(ReceiveOp const& op, MessageId const& id);
  /// A receive that fetch() or fetched() left without a message takes its place among the posted
  /// ones again.
  void repost_if_unmatched(Request& request) {
    if (request.state == Request::State::posted && !take_waiting(request))
      posted_.put_back(request);
  }
  bool lost_with_sender(Arrival& arrival);
  Arrival* find_whole(MatchSpec const& spec);
  void recalled(Rank from, Bytes payload);
  void piece_arrived(Rank from, Bytes payload);
  bool join_incoming(Request& request, Rank from, TransferId transfer);
  void keep_early_piece(Rank from, Fragment const& fragment, Bytes bytes);
  void offer_arrived(Envelope const& envelope, MessageId const& id, Bytes payload);
  Transfer* transfer_of(Bytes payload);

  // receiving.cpp
  [[gnu::noinline]] void protocol_packet(Header const& header, Bytes payload, Channel& from);
  [[gnu::cold, gnu::noinline]] Channel& first_packet_from(Rank source);
  Arrival* first_matching_arrival(MatchSpec const& spec, Scatter const& room) const;
  Completion take_in(Arrival& arrival, MatchSpec const& spec, Scatter const& room);
  [[gnu::cold, gnu::noinline]] void notify_debugger_of_receipt(Arrival const& arrival,
                                                               MatchSpec const& spec,
                                                               std::uint64_t delivered);
  Request& post(MatchSpec const& spec, Scatter const& room, bool take);
  void enlist(Request& request);
  bool take_waiting(Request& request);
  [[gnu::cold, gnu::noinline]] bool undone(Request& request, Envelope const& envelope,
                                           MessageId const& id);
  [[gnu::cold, gnu::noinline]] bool undone(Envelope const& envelope, MessageId const& id);
  bool refuse(Request& request);
  Request* matched(Envelope const& envelope, MessageId const& id);
  void match(Request& request, Envelope const& envelope, MessageId const& id);
  [[gnu::cold, gnu::noinline]] void notify_debugger_of_match(Request const& request);
  void deliver(Request& request, Bytes payload);
  void hand(Request& request, Arrival& arrival);
  void complete(Request& request);
  void drop(Arrival& arrival);
  /// A receive has taken a short message of `from`, or none ever will.
  void taken(Channel& from, std::uint64_t length) {
    if (FlowControl::taken(from, charge_of(length))) [[unlikely]]
      report_taken(from);
  }
  [[gnu::cold, gnu::noinline]] void report_taken(Channel& from);
  void remove(Arrival& arrival);
  template <class Next>
  std::uint64_t drop_each(MatchSpec const& spec, Next next);
  Completion release(Request& request);
  [[gnu::cold, gnu::noinline]] void finish_release(Request& request);
  Request& find_request(RequestId id);
  Message message_of(Request& request);
  MessageId id_of(Header const& header, Channel& from);
  std::pair<std::size_t, Request*> take_one_of(std::span<const MatchSpec> specs,
                                               Scatter const& room, bool take);
  Arrival* look(OpKind kind, MatchSpec const& spec, Deadline deadline);
  Arrival* await(MatchSpec const& spec, Verdict verdict, Deadline deadline);
  Arrival* oldest(std::span<const MatchSpec> specs) const;
  Request& post_for_arrival(MatchSpec const& spec, Arrival const& found, Scatter const& room,
                            bool take);

  // completion.cpp
  bool ask_debuggers_whether(bool now);
  std::vector<std::uint32_t> ask_debuggers_about(TestOp const& op,
                                                 std::span<Request* const> requests);
  std::vector<std::pair<std::size_t, Completion>> release_some(
      std::span<Request* const> requests, std::span<const std::uint32_t> positions);
  std::vector<Request*> find_requests(std::span<const RequestId> ids);
  bool cancel_receive(Request& request);
  bool cancel_send(Request& request);
  bool take_back(Request& request);
  /// The request is complete: its handler is due, if it has one.
  void finished(Request& request) {
    request.state = Request::State::complete;
    handlers_.completed(request);
  }

  // handlers.cpp
  [[gnu::noinline]] Verdict run_handlers(std::uint64_t point);
  std::optional<PendingHandler> pending_handler_for(HandlerOp const& op);
  void run(PendingHandler const& due, std::uint64_t point);
  template <class Body>
  void run_as(HandlerOp const& op, Body body);

  // reporting.cpp
  void add_wait_states(Report& report, WaitState const& wait);
  void add_unfinished_sends(Report& report);
  Crowd crowd_before(Request const& send) const;
  void add_leftovers(Report& report) const;
  void count_traffic(Report& report);
  bool has_undrained_dead_peer() const;
  /// Bytes or packets are on their way through this process: it makes progress that no other
  /// process may see.
  bool busy() const { return waiting_packets_ != 0 || !pushing_.empty() || !incoming_.empty(); }
  /// Waits in the port, and polls EXEC where nothing else signals its end.
  void sleep(Deadline deadline) {
    if (!exec_.executive().exec_may_exit_first()) [[likely]]
      return port_->wait(deadline);
    port_->wait(std::min(deadline, Clock::now() + vigilance));
    exec_.poll();
  }
  static constexpr auto vigilance = std::chrono::milliseconds{250};

  Rank rank_;
  std::uint64_t first_sequence_;
  Call const& call_;
  IdTable table_;
  std::unique_ptr<Port> port_;
  Mover* const mover_;  ///< the same port; null: it cannot
  Limits limits_;
  ExecClient exec_;
  InterceptorStack debuggers_;
  Interceptor* watch_ = nullptr;  ///< null: no debugger
  bool steered_ = false;          ///< a debugger may decide what a receive gets

  ChannelTable channels_;
  /// The counts of channels of peers that are gone, while debuggers number sends.
  std::unordered_map<std::int32_t, std::uint64_t> sent_before_;
  std::uint64_t past_traffic_ = 0;  ///< packets to and from peers that are gone
  UnexpectedQueue unexpected_;
  PostedQueue posted_;
  FlowControl flow_;
  Slab<Request> requests_;
  Slab<Transfer> transfers_;
  std::size_t open_transfers_ = 0;
  std::vector<Transfer*> pushing_;
  std::size_t waiting_packets_ = 0;
  /// How long the first packet to a process may take to leave: a connection is made, in which the
  /// other end takes part as soon as it waits for anything.
  static constexpr Microseconds first_contact_patience{50'000};
  Microseconds contact_patience_ = first_contact_patience;
  /// Receives whose bytes are on their way, by (source, transfer).
  struct Incoming {
    Rank from = no_rank;
    Offer offer{};
    /// Null: no receive has matched it yet, a leaving sender brings it.
    Request* request = nullptr;
    Buffer body{};  ///< then its bytes, as they come
    std::uint64_t got = 0;
    Remote landing{};  ///< where the port expects it whole; {}: it comes in pieces
  };
  std::vector<Incoming> incoming_;
  Incoming* incoming(Rank from, TransferId transfer);
  Incoming* incoming_from(Rank rank);

  std::uint64_t posts_ = 0;     ///< user receives posted
  std::uint32_t receives_ = 0;  ///< user receives completed; travels in every header
  std::unordered_map<std::uint64_t, std::uint32_t> collectives_;

  HandlerQueue handlers_;
  bool left_ = false;

  WaitMonitor monitor_;
};

}  // namespace earl
