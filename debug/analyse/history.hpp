// SPDX-License-Identifier: BSD-3-Clause
/// The history of a job, as far as races need it: every message, every receive, and the knowledge
/// of each process over time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "debug/events/event.hpp"
#include "debug/trace/sites.hpp"
#include "generic/seams/standstill_judge.hpp"

namespace earl::analyse {

inline constexpr std::uint32_t none = ~std::uint32_t{0};

/// The number of known completions of each rank.
using Clock = std::vector<std::uint32_t>;
using SharedClock = std::shared_ptr<Clock const>;

/// A call of one rank.
struct Place {
  std::uint32_t site = none;
  std::uint64_t call = 0;  ///< counts API calls from 1
  std::int64_t time = 0;   ///< when it began, nanoseconds
};

struct SentMessage {
  std::uint32_t source = 0;
  std::uint32_t dest = 0;
  std::uint64_t sequence = 0;
  std::uint64_t context = 0;
  std::uint64_t length = 0;
  std::int32_t tag = 0;
  std::uint32_t check = 0;  ///< hash of the bytes
  Mode mode = Mode::standard;
  bool taken_back = false;
  std::uint32_t known = 0;          ///< completions of the receiver that the sender knew of
  std::uint32_t own = 0;            ///< the sender's own, at the send
  std::uint32_t matched_by = none;  ///< of the receiver's receives
  std::uint32_t over = none;        ///< a synchronous send: at which completion of the sender's
  Place at{};
  SharedClock clock{};  ///< at the send; null: not asked for
};

struct Receive {
  std::uint32_t filter = none;  ///< none: unknown, as a handler's
  OpKind operation = OpKind::receive;
  bool races = false;
  bool cancelled = false;
  std::uint64_t post = 0;
  Place at{};
  Place done{};                           ///< the call that completed it; `call` 0: none did
  std::uint32_t known_at_post = 0;        ///< own completions before
  std::uint32_t completion = none;        ///< which of the rank's it is
  std::int32_t source = number(no_rank);  ///< sender of the message it got
  std::uint64_t sequence = 0;
  std::uint32_t message = none;  ///< the one it got; none: nothing, or EXEC's
  SharedClock clock{};           ///< when it was posted; null: not asked for
};

/// A probe, a try to receive or a test, and its answer; or several in a row that got a no.
struct Question {
  std::uint64_t number = 0;  ///< counts the rank's from 0; of several, the first
  std::uint64_t count = 1;
  OpKind operation = OpKind::test;
  bool yes = false;
  std::uint32_t filter = none;                  ///< none: unknown, or a test's
  Place at{};                                   ///< of several, the last
  std::uint32_t completion = none;              ///< which of the rank's it is
  std::int32_t source = earl::number(no_rank);  ///< whose message was found
  std::uint64_t sequence = 0;
  std::uint32_t receive = none;           ///< a try: it took the message
  std::uint64_t requests = 1;             ///< of a test: of how many it reports some
  std::vector<std::int32_t> positions{};  ///< which, where there are several
};

/// Messages from one rank to another, in the order they were sent.
struct Channel {
  std::uint32_t source = 0;
  std::vector<std::uint32_t> messages{};
};

/// The number of calls of a site, and the time slept there.
struct SiteUse {
  std::uint64_t calls = 0;
  std::uint64_t waited = 0;  ///< nanoseconds
};

/// Objects that a program never gave back, of one kind and from one place.
struct Unreleased {
  std::uint32_t site = 0;  ///< its text is their kind
  std::uint64_t count = 0;
};

/// A message that a rank received as elements of other types than it was sent as.
struct Mistyped {
  std::uint32_t source = 0;
  std::uint64_t sequence = 0;
  std::string sent{};
  std::string received{};
};

/// A nonblocking send whose buffer the program altered before the call `at` that completed it.
struct AlteredSend {
  std::uint32_t dest = 0;
  std::uint64_t sequence = 0;
  Place at{};
};

struct RankHistory {
  bool present = false;  ///< there is a record of it
  std::vector<Receive> receives{};
  std::vector<Question> questions{};
  std::vector<Channel> inbound{};
  std::vector<events::Filter> filters{};
  std::unordered_map<std::uint64_t, std::string> labels{};   ///< of contexts
  std::unordered_map<std::uint64_t, std::string> notices{};  ///< their subjects, by `sequence`
  std::vector<trace::KnownSite> sites{};
  std::vector<SiteUse> uses{};  ///< by site
  std::vector<Unreleased> unreleased{};
  std::vector<Mistyped> mistyped{};
  std::vector<AlteredSend> altered{};
  std::uint32_t completions = 0;
  std::uint64_t calls = 0;
  Place last{};               ///< the call that it began last
  bool ended = false;         ///< in an orderly way
  std::uint64_t answers = 0;  ///< probes and tests whose answer depended on timing

  /// A filter as text: "any source, tag 7, grid".
  std::string text_of(events::Filter const& filter) const;
  /// The message of EXEC that `receive` got: "a notification of the exit of task t40002 (tag 9)".
  std::string exec_message_text(Receive const& receive) const;
  /// The name of a context; empty: it has none.
  std::string_view label_of(std::uint64_t context) const;
};

/// One completion and the rank whose knowledge came with it, in a causal order.
struct Join {
  std::uint32_t rank = 0;
  std::uint32_t receive = none;   ///< that completed
  std::uint32_t question = none;  ///< that was answered
  std::uint32_t causes = 0;       ///< of History::causes, those from the previous join's on
  std::uint64_t call = 0;         ///< of the rank's, in which it was
};
struct Cause {
  std::uint32_t rank = 0;
  std::uint32_t completions = 0;  ///< of that rank
};

struct History {
  std::vector<RankHistory> ranks{};
  std::vector<SentMessage> messages{};
  std::vector<Join> joins{};
  std::vector<Cause> causes{};
  std::uint64_t unexplained = 0;   ///< events whose cause was not recorded
  std::string deadlock{};          ///< EXEC's report of it; empty: the run did not end in one
  std::vector<KnownWait> waits{};  ///< then: those that EXEC knew

  /// Null: no such message is known.
  std::uint32_t find(std::uint32_t source, std::uint32_t dest, std::uint64_t sequence) const;
};

/// The events of one rank, one after the other; false: no more.
using Source = std::function<bool(events::Event&)>;

/// Reads all; `sources[r]` is rank r's, empty where there is no record. Ranks from `initial` on
/// were started by others.
History read_history(std::vector<Source> sources, std::uint32_t initial);

}  // namespace earl::analyse
