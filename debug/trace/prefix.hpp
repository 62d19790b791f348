// SPDX-License-Identifier: BSD-3-Clause
/// The part of a record before the oldest that is kept (`earl record --keep`): as much of it as a
/// replay needs to come to the part that is kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generic/base/bytes.hpp"
#include "generic/base/values.hpp"
#include "generic/message/match_spec.hpp"

namespace earl::trace {

/// Numbers that mostly follow each other.
class Ranges {
 public:
  void add(std::uint64_t number) { add(number, number + 1); }
  /// `begin` to `end` - 1.
  void add(std::uint64_t begin, std::uint64_t end);
  bool contains(std::uint64_t number) const;
  /// The end of each range by its begin; no two touch.
  std::map<std::uint64_t, std::uint64_t> const& all() const { return ends_; }

 private:
  std::map<std::uint64_t, std::uint64_t> ends_;
};

/// The progress of a process, without its polls: another run that does the same may
/// poll more often.
class Position {
 public:
  /// It sends a message, posts a receive, takes a message or takes part in a collective.
  void operation() {
    ++operations_;
    calls_ = 0;
  }
  void call() { ++calls_; }
  /// The answer of the call under way is "no".
  void miss() {
    if (calls_ != 0) --calls_;
  }
  std::uint64_t operations() const { return operations_; }
  /// Since the last operation.
  std::uint64_t calls() const { return calls_; }
  bool has_reached(Position const& other) const {
    return operations_ > other.operations_ ||
           (operations_ == other.operations_ && calls_ >= other.calls_);
  }

 private:
  friend class Prefix;
  std::uint64_t operations_ = 0;
  std::uint64_t calls_ = 0;
};

/// A wildcard receive that got its message in this part is free in a replay: it takes any message
/// that was received in this part. What the kept part received, and what no receive got, is
/// not for it.
class Prefix {
 public:
  /// Cancelled receives remembered, the last ones.
  static constexpr std::size_t most_cancelled = 1024;

  // --- while it grows
  void received(MessageId const& id) {
    messages_[id.source].add(id.sequence);
    if (!probed_.empty()) std::erase(probed_, id);
  }
  /// A probe has found it; it may be received in the kept part.
  void probed(MessageId const& id) {
    if (std::ranges::count(probed_, id) == 0) probed_.push_back(id);
  }
  void cancelled(std::uint64_t post);

  // --- at its end
  /// The kept part begins with API call `first_event`, at `position`, before which `posts` receives
  /// were posted; the wildcard receives `open` among them, sorted, have no message yet.
  void close(std::uint64_t first_event, Position const& position, std::uint64_t posts,
             std::vector<std::uint64_t> open);
  std::string to_bytes() const;
  /// Null: the bytes are no prefix.
  static std::optional<Prefix> from(Bytes bytes);

  std::uint64_t first_event() const { return first_event_; }
  Position const& end() const { return end_; }
  /// Receive `post` got its message in this part, if it was a wildcard receive.
  bool has_receive(std::uint64_t post) const;
  bool was_cancelled(std::uint64_t post) const;
  bool has_message(MessageId const& id) const;
  /// A probe in this part found it, and no receive in this part got it.
  bool was_probed(MessageId const& id) const { return std::ranges::count(probed_, id) != 0; }
  /// The sources of these and of the probed messages; a source may be named twice.
  std::vector<Rank> sources() const;

 private:
  std::uint64_t first_event_ = 0;
  Position end_;
  std::uint64_t posts_ = 0;
  std::vector<std::uint64_t> open_;
  std::vector<std::uint64_t> cancelled_;
  std::map<Rank, Ranges> messages_;  ///< sequences, by source
  std::vector<MessageId> probed_;
};

}  // namespace earl::trace
