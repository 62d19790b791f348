// SPDX-License-Identifier: BSD-3-Clause
/// The operations of a process, as an Interceptor sees them.
#pragma once

#include <span>
#include <string_view>

#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"
#include "generic/message/match_spec.hpp"

namespace earl {

/// The call of the native API that is under way: its name and where the program made it.
struct Call {
  char const* name = "";       ///< a string with static storage
  void const* site = nullptr;  ///< the program's return address
};

/// While it lasts, a function of the program runs in a call and may make others; then the first one
/// goes on.
class InterruptedCall {
 public:
  explicit InterruptedCall(Call& call) : call_(call), before_(call) {}
  ~InterruptedCall() { call_ = before_; }
  InterruptedCall(InterruptedCall const&) = delete;
  InterruptedCall& operator=(InterruptedCall const&) = delete;

 private:
  Call& call_;
  Call const before_;
};

enum class OpKind : std::uint8_t {
  send,
  receive,      ///< a posted receive, blocking or not; matched later
  probe,        ///< waits for a message, takes nothing
  try_probe,    ///< looks for a message
  try_receive,  ///< takes a message if there is one (PVM nrecv, trecv)
  test,         ///< asks whether requests are complete
  wait_any,     ///< waits for some of several requests
  cancel,
  clock,
  exec,  ///< a request to EXEC
  handler,
  collective,
};

/// A send, before it takes its place in the channel's order. Valid during the call.
struct SendOp {
  Envelope const& envelope;    ///< the program's: `source` and `length` are not filled in
  std::uint64_t sequence = 0;  ///< MessageId::sequence; user contexts only
  Gather const& payload;
};

/// A receive, a probe, or a try at one of them.
struct ReceiveOp {
  OpKind kind = OpKind::receive;
  std::uint64_t post = 0;  ///< counts this process's receives from 0 in the order they are posted
  MatchSpec spec{};        ///< posting() may narrow it
  MatchSpec const* asked = nullptr;  ///< in posting(): as the program gave it; null: `spec` is
  /// Handlers may take the message instead, or several specs are asked for: which message it is
  /// depends on timing even when `spec` names one channel.
  bool contested = false;
  bool takes = false;  ///< of a probe: it hands the message over, which nothing was posted for
  /// Where a message has been received: its bytes, as far as there was room for them. Valid during
  /// the call.
  Gather payload{};

  MatchSpec const& program_spec() const { return asked ? *asked : spec; }
  /// True when only one message can come, for any behaviour of the other processes.
  bool certain() const { return spec.names_one_channel() && !contested; }
};

/// A receive of the commonest of specs whose message was there already. Valid during the call.
struct Receipt {
  std::uint64_t post = 0;  ///< as in ReceiveOp
  NarrowSpec spec;
  Envelope const& envelope;
  MessageId const& id;
  Bytes payload{};  ///< as far as there was room
};

/// A test or wait over requests. Positions are those of the program's list.
struct TestOp {
  OpKind kind = OpKind::test;
  std::size_t requests = 0;  ///< how many are asked about
  bool all = false;          ///< only "every one is complete" counts as yes
  bool one = false;          ///< of several that are complete, one is reported
};

/// A handler of the program: which, and where it runs.
struct HandlerOp {
  std::uint64_t point = 0;    ///< counts the places of this process where handlers may run
  std::uint64_t handler = 0;  ///< the n-th that was posted for a request, from 1; 0: a filter's
  MessageId id{};             ///< of the message; user contexts only
};

/// The direction of information in a collective.
enum class DataFlow : std::uint8_t {
  all_to_all,
  from_root,
  to_root,
  in_order,  ///< each member of those before it
};

/// A collective, in one of its members.
struct CollectiveOp {
  std::string_view kind{};  ///< a word for people: "barrier"; static storage
  DataFlow flow = DataFlow::all_to_all;
  Context context{};
  std::uint64_t number =
      0;                 ///< of the collectives of this context, from 0: the same on all members
  std::size_t root = 0;  ///< a member, where there is one
  std::span<Rank const> members{};
  std::uint64_t bytes = 0;  ///< contribution of this member; 0: unspecified
  /// The contribution, where this member has one; valid until the collective has begun.
  std::span<Gather const> contribution{};
};

/// Objects that a process has not given back when it ends: `count` of a kind, made at one place.
struct Unreleased {
  Call made{};  ///< its name is the objects' kind: "datatype"
  std::uint64_t count = 1;
};

/// A message that is received as elements of other types than it was sent as; both as text.
struct Mistyped {
  MessageId id{};
  std::string_view sent{};
  std::string_view received{};
};

/// A send in a user context that the program has started, and now knows to be complete.
struct CompletedSend {
  Rank dest{};
  std::uint64_t sequence = 0;
  bool altered = false;  ///< its bytes are not those that it began with
};

/// The types of the elements that a member gives to a collective and takes from it, as text; empty:
/// there are none, or several types, or any fits.
struct CollectiveTypes {
  std::string_view given{};
  std::string_view taken{};
};

/// The name of a send in a cancel; a receive is named by its post.
inline constexpr unsigned bits_of_sequence = 33;
constexpr std::uint64_t sequence_of_send(std::uint64_t post) {
  return post & ((std::uint64_t{1} << bits_of_sequence) - 1);
}
constexpr std::uint64_t post_of_send(Rank dest, std::uint64_t sequence) {
  return std::uint64_t{1} << 63 | std::uint64_t{index(dest)} << bits_of_sequence |
         sequence_of_send(sequence);
}
constexpr bool names_send(std::uint64_t post) { return post >> 63 != 0; }
constexpr Rank dest_of_send(std::uint64_t post) {
  return Rank{static_cast<std::int32_t>((post & ~(std::uint64_t{1} << 63)) >> bits_of_sequence)};
}

}  // namespace earl
