// SPDX-License-Identifier: BSD-3-Clause
/// One rank's part of a recording, as its replay needs it. Frames are read on demand, so memory
/// holds only the outcomes ahead of the program.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "debug/replay/receives_ahead.hpp"
#include "debug/trace/free_receives.hpp"
#include "debug/trace/labels.hpp"
#include "debug/trace/predictions.hpp"
#include "debug/trace/prefix.hpp"
#include "debug/trace/reader.hpp"
#include "debug/trace/sends.hpp"
#include "debug/trace/sites.hpp"

namespace earl::replay {

/// The part of a recording that has been used.
struct Used {
  std::uint64_t receives = 0;  ///< posted so far
  std::uint64_t answers = 0;   ///< each "no" counts
  std::uint64_t handlers = 0;
  std::uint64_t sends = 0;
  std::uint64_t contributions = 0;
};

class Recording {
 public:
  /// The record of a rank that has none, because of `why`: cut before its first call.
  static Recording none(std::string why);
  /// Throws Error as TraceReader does, and when the file belongs to another rank or run.
  Recording(std::string const& path, Rank rank, trace::RunId const& run);
  /// It was recorded with --keep: each hash is of the calls since the one before.
  void set_kept_in_part() { kept_in_part_ = true; }
  bool is_kept_in_part() const { return kept_in_part_; }

  /// Messages may hold other bytes than recorded.
  void ignore_contents() { checks_contents_ = false; }
  bool checks_contents() const { return checks_contents_; }
  /// EXEC ended the recorded run because no process could continue, or another one had failed: each
  /// waits where it waited then.
  void waits_in_last_call() { waits_ = true; }
  bool waits_at_end() const { return waits_ && ending_.note.empty() && ending_.gaps.empty(); }
  bool complete() const { return ending_.complete; }
  /// Its process shared memory with others, whose contents are not recorded.
  bool shares_memory() const { return shares_memory_; }
  /// API calls begun; in a cut record, as far as it can be trusted.
  std::uint64_t events() const { return ending_.events; }
  trace::Ending const& ending() const { return ending_; }
  trace::KnownSites const& sites() const { return sites_; }
  trace::KnownLabels const& labels() const { return labels_; }

  /// The outcome of wildcard receive `post`, until the next call; null: it never got a message.
  trace::Received const* take_receive(std::uint64_t post);
  /// It was posted and stayed without one until the orderly end, or was cancelled.
  bool stayed_open(std::uint64_t post) const { return open_.contains(post); }
  /// Wildcard receive `post` got whichever message of those came first that free receives got.
  bool is_free(std::uint64_t post) const {
    return free_.has_receive(post) || (prefix_ && prefix_->has_receive(post));
  }
  bool was_for_free_receive(MessageId const& id) const {
    return free_.has_message(id) || (prefix_ && prefix_->has_message(id));
  }
  std::span<Rank const> sources_of_free_receives() const { return free_sources_; }
  bool was_cancelled(std::uint64_t post) const {
    return (!cancelled_.empty() && cancelled_.contains(post)) ||
           (prefix_ && prefix_->was_cancelled(post));
  }
  /// Whether a probe may find this message in a process that has come so far, before the kept part.
  bool may_be_probed(MessageId const& id, trace::Position const& position) const {
    return prefix_ && prefix_->was_probed(id) &&
           position.operations() >= prefix_->end().operations();
  }
  /// Whether a process that has come so far is at the begin of the kept part, or behind it.
  bool is_kept_from(trace::Position const& position) const {
    return !prefix_ || position.has_reached(prefix_->end());
  }
  /// The call with which the kept part of the record begins; 1: all is kept.
  std::uint64_t first_event() const { return prefix_ ? prefix_->first_event() : 1; }
  /// Whether what the process does in this call is compared: receives that are free may have left
  /// it with other things to do, for a while.
  bool compares(std::uint64_t event) const {
    return !prefix_ || event >= prefix_->first_event() + uncompared_calls;
  }
  /// Whether checks are counted anew from this call on.
  bool begins_part(std::uint64_t event) const {
    return !parts_.empty() && std::ranges::binary_search(parts_, event);
  }
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
  trace::Outcome const* next_answer();
  /// One of several in a row that were "no".
  void drop_answer();
  /// The next handler that ran while call `event` was the last one made; null: none did.
  trace::Outcome const* next_handler(std::uint64_t event);
  void drop_handler() {
    handlers_.pop_front();
    ++used_.handlers;
  }
  /// The hash recorded when call `event` began.
  std::optional<std::uint32_t> hash_at(std::uint64_t event);
  /// The next message that was sent; null: no more is known.
  std::optional<trace::Sent> take_send() {
    ++used_.sends;
    return take(sends_);
  }
  /// The next contribution to a collective; null: no more is known.
  std::optional<trace::Sent> take_contribution() {
    ++used_.contributions;
    return has_contributions_ ? take(contributions_) : std::nullopt;
  }
  Used const& used() const { return used_; }
  /// Uses so much at once, of a recording that agrees so far with the one in which that was used.
  /// Throws Error when there is less.
  void skip(Used const& used);
  /// The outcomes that were not replayed, for the report at the end.
  std::size_t left_over();

 private:
  /// The number of calls at the begin of a kept part that are not compared.
  static constexpr std::uint64_t uncompared_calls = 16 * trace::hash_every;

  Recording() = default;
  void scan();
  void scan(trace::Outcome const& outcome);
  void scan(trace::Received const&) {}
  std::optional<trace::Sent> take(trace::SendsAhead& checks);
  bool load();
  void sort_in(trace::Outcome&& outcome);
  void sort_in(trace::Received const& received) { receives_.add(received); }

  std::string path_;
  std::unique_ptr<trace::TraceReader> reader_;
  trace::Ending ending_;
  trace::KnownSites sites_;
  trace::KnownLabels labels_;
  std::unordered_set<std::uint64_t> open_;
  std::unordered_set<std::uint64_t> cancelled_;
  trace::FreeLists free_;
  std::optional<trace::Prefix> prefix_;  ///< null: all is kept
  std::vector<std::uint64_t> parts_;     ///< their first calls, sorted
  std::vector<Rank> free_sources_;
  std::vector<Loss> losses_;  ///< a few: senders of long messages seldom die
  ReceivesAhead receives_;
  std::deque<trace::Outcome> answers_;
  std::deque<trace::Outcome> handlers_;
  std::deque<trace::Outcome> hashes_;
  trace::SendsAhead sends_;
  trace::SendsAhead contributions_;
  bool has_contributions_ = false;
  bool shares_memory_ = false;
  bool waits_ = false;
  bool checks_contents_ = true;
  bool kept_in_part_ = false;
  std::uint64_t read_to_ = 0;  ///< all events before this one have been read
  Used used_{};
};

/// Drops an answer "no"; false: the next one is no such.
bool take_miss(Recording& recording);

}  // namespace earl::replay
