// SPDX-License-Identifier: BSD-3-Clause
/// The content of an events file: all operations of a process, in its order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generic/seams/interceptor.hpp"

namespace earl::events {

enum class EventKind : std::uint8_t {
  // Definitions, which count from 0.
  module,   ///< `text` is a path, `more` its build-id
  site,     ///< `text` is an API call's name, made in module `count` at `offset`
  filter,   ///< `filter`
  members,  ///< `ranks` are the members of a group, in their order
  string,   ///< `text` is a name that others refer to
  // The kind of event.
  call,       ///< the API call number `call` at `site`; `time` is known
  send,       ///< `peer` is sent message `sequence` with `tag`, `context`, `length`, `check`
  post,       ///< receive `post` is posted, for what `what` accepts
  match,      ///< receive `post` has message `sequence` of `peer`
  completed,  ///< the program has it
  sent,       ///< the synchronous send `sequence` to `peer` is over
  found,      ///< `operation` for what `what` accepts has found message `sequence` of `peer`
  /// `count` calls, of which the last is `call`, got a no, as `operation` says; of a probe or try:
  /// to what `what` accepts.
  missed,
  taken,  ///< a handler for messages takes message `sequence` of `peer`
  /// A test or wait reports `count` of its requests; where these are more than one, `number`, and
  /// not all were asked for, `ranks` are the positions.
  tested,
  cancelled,   ///< receive `post` is taken back
  unsent,      ///< the send `sequence` to `peer` is taken back
  lost,        ///< message `sequence` of `peer` is gone with its sender
  collective,  ///< `number` of `context` begins: string `what`, members `count`, `root`, `flow`
  collected,   ///< it is over
  exec,        ///< EXEC has answered `operation`; a spawn or load gives `ranks`
  meeting,     ///< `count` processes have met under string `what`, as `operation` says
  handler,     ///< handler `post` runs
  handled,     ///< it has run
  waited,      ///< `time` nanoseconds were slept
  end,         ///< orderly; `count` messages were never received
  unreleased,  ///< `count` objects, made at `site`, whose text is their kind, are not given back
  /// Message `sequence` of `peer` was sent as elements of the types of string `what`, and is
  /// received
  /// as those of string `count`.
  mistyped,
  label,   ///< `context` is called `text` from now on
  notice,  ///< message `sequence` of EXEC is a notice, about `text`
  /// The next collective of the call is given elements of the type of string `what`, and gives
  /// those of string `count`; empty: none, several or any.
  collective_types,
  /// The program has completed its nonblocking send `sequence` to `peer`; `count` 1: its bytes are
  /// not those that it began with.
  send_completed,
};
inline constexpr unsigned last_event_kind = static_cast<unsigned>(EventKind::send_completed);

/// Stands for the filter of an event that has none.
inline constexpr std::uint32_t no_filter = ~std::uint32_t{0};

/// The acceptance criteria of a receive or probe: a MatchSpec as plain data.
struct Filter {
  std::int32_t source = number(any_rank);
  std::vector<std::int32_t> sources{};  ///< when not empty: any of these
  TagMatch::Kind kind = TagMatch::Kind::any;
  std::int32_t low = 0;
  std::int32_t high = 0;
  std::uint32_t bits = 0;
  std::vector<Tag> tags{};
  std::uint64_t context = 0;
  bool any_context = false;
  bool contested = false;  ///< handlers may take the message instead

  bool accepts(std::int32_t from, std::int32_t tag, std::uint64_t in) const;
  /// "any source, tag 7"; `label`: of its context, in place of the number.
  std::string to_text(std::string_view label) const;

  bool operator==(Filter const&) const = default;
};

Filter filter_of(ReceiveOp const& op);

/// One event. Its kind decides which members count; the others are unspecified.
struct Event {
  EventKind kind = EventKind::call;
  OpKind operation = OpKind::receive;
  DataFlow flow = DataFlow::all_to_all;
  Mode mode = Mode::standard;
  std::int32_t peer = 0;
  std::int32_t tag = 0;
  std::uint32_t site = 0;
  std::uint32_t what = 0;   ///< number of a filter or a string
  std::uint32_t check = 0;  ///< hash of a message's bytes
  std::uint64_t call = 0;   ///< counts API calls from 1
  std::uint64_t post = 0;
  std::uint64_t sequence = 0;
  std::uint64_t context = 0;
  std::uint64_t length = 0;  ///< bytes
  std::uint64_t number = 0;
  std::uint64_t root = 0;
  std::uint64_t count = 0;
  std::uint64_t offset = 0;
  std::int64_t time = 0;  ///< nanoseconds; of calls, since the host's epoch
  Filter filter{};
  std::vector<std::int32_t> ranks{};
  std::string text{};
  std::string more{};
};

}  // namespace earl::events
