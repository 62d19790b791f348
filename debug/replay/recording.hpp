// SPDX-License-Identifier: BSD-3-Clause
/// One rank's part of a recording, as its replay needs it. Frames are read on demand, so memory
/// holds only the outcomes ahead of the program.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "debug/trace/free_receives.hpp"
#include "debug/trace/reader.hpp"
#include "debug/trace/sends.hpp"
#include "debug/trace/sites.hpp"

namespace earl::replay {

class Recording {
 public:
  /// The record of a rank that has none, because of `why`: cut before its first call.
  static Recording none(std::string why);
  /// Throws Error as TraceReader does, and when the file belongs to another rank or run.
  Recording(std::string const& path, Rank rank, trace::RunId const& run);

  /// Messages may hold other bytes than recorded.
  void ignore_contents() { checks_contents_ = false; }
  bool checks_contents() const { return checks_contents_; }
  /// EXEC ended the recorded run because no process could continue: each waits where it waited
  /// then.
  void stands_still_at_end() { stands_still_ = true; }
  bool waits_at_end() const {
    return stands_still_ && ending_.note.empty() && ending_.gaps.empty();
  }
  bool complete() const { return ending_.complete; }
  /// API calls begun; in a cut record, as far as it can be trusted.
  std::uint64_t events() const { return ending_.events; }
  trace::Ending const& ending() const { return ending_; }
  trace::KnownSites const& sites() const { return sites_; }

  /// The outcome of wildcard receive `post`; null: it never got a message.
  std::optional<trace::Outcome> take_receive(std::uint64_t post);
  /// It was posted and stayed without one until the orderly end, or was cancelled.
  bool stayed_open(std::uint64_t post) const { return open_.contains(post); }
  /// Wildcard receive `post` got whichever message of those came first that free receives got.
  bool is_free(std::uint64_t post) const { return free_.has_receive(post); }
  bool was_for_free_receive(MessageId const& id) const { return free_.has_message(id); }
  std::span<Rank const> sources_of_free_receives() const { return free_sources_; }
  bool was_cancelled(std::uint64_t post) const { return cancelled_.contains(post); }
  /// A message that was gone with its sender when a receive, probe or try had found it.
  struct Loss {
    MessageId id{};
    std::uint64_t post = 0;  ///< of the receive
    bool failed = false;     ///< it named the sender, and failed
  };
  /// Null: that message was not lost.
  Loss const* loss_of(MessageId const& id) const;
  /// Why the receive `post` failed; null: it did not.
  Loss const* failure_of(std::uint64_t post) const;

  /// The next answer to a probe, try, test, cancel, clock or EXEC request; null: no more. Stays
  /// valid until drop_answer().
  trace::Outcome* next_answer();
  void drop_answer() { answers_.pop_front(); }
  /// The next handler that ran while call `event` was the last one made; null: none did.
  trace::Outcome* next_handler(std::uint64_t event);
  void drop_handler() { handlers_.pop_front(); }
  /// The hash recorded when call `event` began.
  std::optional<std::uint32_t> hash_at(std::uint64_t event);
  /// The next message that was sent; null: no more is known.
  std::optional<trace::Sent> take_send() { return take(sends_); }
  /// The next contribution to a collective; null: no more is known. Recordings before 3.1 have
  /// none.
  std::optional<trace::Sent> take_contribution() {
    return has_contributions_ ? take(contributions_) : std::nullopt;
  }
  /// The outcomes that were not replayed, for the report at the end.
  std::size_t left_over();

 private:
  Recording() = default;
  void scan();
  std::optional<trace::Sent> take(std::deque<trace::Sent>& checks);
  bool load();
  void sort_in(trace::Outcome&& outcome);

  std::string path_;
  std::unique_ptr<trace::TraceReader> reader_;
  trace::Ending ending_;
  trace::KnownSites sites_;
  std::unordered_set<std::uint64_t> open_;
  std::unordered_set<std::uint64_t> cancelled_;
  trace::FreeLists free_;
  std::vector<Rank> free_sources_;
  std::vector<Loss> losses_;  ///< a few: senders of long messages seldom die
  std::unordered_map<std::uint64_t, trace::Outcome> receives_;
  std::deque<trace::Outcome> answers_;
  std::deque<trace::Outcome> handlers_;
  std::deque<trace::Outcome> hashes_;
  std::deque<trace::Sent> sends_;
  std::deque<trace::Sent> contributions_;
  bool has_contributions_ = false;
  bool stands_still_ = false;
  bool checks_contents_ = true;
  std::uint64_t read_to_ = 0;  ///< all events before this one have been read
};

}  // namespace earl::replay
