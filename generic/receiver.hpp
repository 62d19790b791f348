// SPDX-License-Identifier: BSD-3-Clause
/// Arriving messages, and the receives that take them: the unexpected and the posted queue.
#pragma once

#include <cstdint>
#include <span>

#include "generic/channel.hpp"
#include "generic/endpoint.hpp"
#include "generic/flow_control.hpp"
#include "generic/matcher.hpp"

namespace earl {

class Engine;

class Receiver final : public PacketSink {
 public:
  Receiver(Engine& engine, Endpoint& endpoint)
      : engine_(engine), endpoint_(endpoint), port_(*endpoint.port), rank_(endpoint.rank) {}

  /// All debuggers, from now on.
  void watch(Interceptor& debugger) {
    debugger_ = &debugger;
    steered_ = debugger.constrains_matching();
    direct_ = direct_ && !steered_;
  }
  /// From now on receives may have handlers, or filters that take what they ask for.
  void expect_handlers() { direct_ = false; }

  // Like Process's functions of the same names.
  Completion receive(MatchSpec const& spec, Scatter const& room);
  Completion receive_narrow(NarrowSpec spec, Scatter const& room, TooLong too_long);
  template <class Spec = MatchSpec>
  RequestId start_receive(Spec const& spec, Scatter const& room);
  Message take(MatchSpec const& spec);

  // PacketSink
  void packet(Header const& header, Bytes payload) override;
  void moved(Rank from, TransferId transfer, bool ok) override;
  void gone(Rank rank) override;
  void on_control_ready() override;

  // --- for the other parts
  UnexpectedQueue& unexpected() { return unexpected_; }
  UnexpectedQueue const& unexpected() const { return unexpected_; }
  /// User receives posted so far.
  std::uint64_t posts() const { return posts_; }
  /// User receives that have got their message so far.
  std::uint64_t receives() const { return receives_; }
  /// A whole message is here: the oldest receive that accepts it gets it, or it waits for one; then
  /// it is given.
  Arrival* arrived(Envelope const& envelope, MessageId const& id, Bytes payload);
  /// An offered message that no receive has matched.
  void queue_offer(Envelope const& envelope, MessageId const& id, Offer const& offer);
  /// The oldest posted receive that accepts the message and has room for it, no longer posted;
  /// null: the message must wait in the queue.
  Request* matched(Envelope const& envelope, MessageId const& id);
  /// Whether a replay says that this message does not come to the receive that matches it: then it
  /// must be dropped, and the receive has failed or goes on.
  bool undone(Envelope const& envelope, MessageId const& id) {
    return steered_ && undo_arrival(envelope, id);
  }
  /// Posts a receive for a message that is in the queue.
  Request& post_for_arrival(MatchSpec const& spec, Arrival const& found, Scatter const& room,
                            bool take);
  /// A message that is too long for a receive that wants it whole stays in the queue.
  bool refuse(Request& request);
  /// Gives a queued message to the request that matched it.
  void hand(Request& request, Arrival& arrival);
  /// The request has its message.
  void complete(Request& request);
  /// The matched message is gone with its sender. A receive that takes any source's is as it was
  /// before the match, and not in the queue: the caller goes on with repost_if_unmatched(). Another
  /// one is complete, without a message.
  void lose(Request& request);
  /// A receive that has no message after all takes its place among the posted ones again.
  void repost_if_unmatched(Request& request) {
    if (request.state == Request::State::posted && !take_waiting(request))
      posted_.put_back(request);
  }
  /// A receive is no longer posted.
  void withdraw(Request& request) { posted_.remove(request); }
  /// Drops a message that will not be received.
  void drop(Arrival& arrival);
  /// Takes a message out of the queue, whose bytes, if they are here, are no longer needed.
  void remove(Arrival& arrival);
  /// A receive has taken a short message of `from`, or none ever will.
  void taken(Channel& from, std::uint64_t length) {
    if (FlowControl::taken(from, charge_of(length))) [[unlikely]]
      report_taken(from);
  }
  /// The oldest message that fits and has not died with its sender.
  Arrival* find_whole(MatchSpec const& spec);

 private:
  [[gnu::noinline]] void protocol_packet(Header const& header, Bytes payload, Channel& from);
  template <class Spec>
  Request& post(Spec const& spec, TooLong too_long, Scatter const& room, bool take);
  [[gnu::noinline]] void notify_debugger_of_post(Request& request);
  template <class Spec>
  Completion receive_posted(Spec const& spec, TooLong too_long, Scatter const& room);
  bool take_waiting(Request& request);
  [[gnu::cold, gnu::noinline]] bool undo_arrival(Envelope const& envelope, MessageId const& id);
  [[gnu::noinline]] bool undone(Request& request, Envelope const& envelope, MessageId const& id);
  template <class GiveEnvelope>
  Request* matched_with(GiveEnvelope const& envelope, MessageId const& id);
  template <class GiveEnvelope>
  Arrival* arrived_with(GiveEnvelope const& envelope, MessageId const& id, Bytes payload);
  void deliver(Request& request, Bytes payload);
  [[gnu::cold, gnu::noinline]] void report_taken(Channel& from);
  template <class Spec>
  Arrival* first_matching_arrival(Spec const& spec, Scatter const& room, TooLong too_long) const;
  template <class Spec>
  Completion accept_arrival(Arrival& arrival, Spec const& spec, Scatter const& room);
  bool lost_with_sender(Arrival& arrival);
  void fetch_offers(Rank gone);
  [[gnu::noinline]] void notify_debugger_of_match(Request const& request);

  Engine& engine_;
  Endpoint& endpoint_;
  Port& port_;
  const Rank rank_;
  Interceptor* debugger_ = nullptr;
  bool steered_ = false;  ///< a debugger may decide what a receive gets
  /// A receive may take a message that is here without being posted: no debugger steers it, and
  /// there have been no handlers.
  bool direct_ = true;
  UnexpectedQueue unexpected_;
  PostedQueue posted_;
  std::uint64_t posts_ = 0;
  std::uint64_t receives_ = 0;
};

}  // namespace earl
