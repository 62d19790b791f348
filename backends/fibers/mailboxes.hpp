// SPDX-License-Identifier: BSD-3-Clause
/// The mailboxes of all ranks. The one of a rank that has ended is dropped as soon as no rank may
/// refer to it, so that a job may spawn for ever.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "backends/fibers/mailbox.hpp"

namespace earl::fibers {

class Mailboxes {
 public:
  using Dropped = std::function<void(Rank)>;

  Mailboxes() { ended_.close(); }

  /// Made when it is asked for first. Of a rank that has been dropped: one that has ended.
  Mailbox& of(Rank rank);
  /// It lives, exchanges packets with `peer` from now on, and is notified of the peer's end.
  void introduce(Mailbox& mine, Rank me, Rank peer);
  /// `rank` has ended. Returns the peers to notify.
  std::vector<Rank> end(Rank rank);
  /// `rank` has been notified of the end of `peer`.
  void part(Rank rank, Rank peer);
  /// The state that goes with a mailbox.
  void when_dropped(Dropped dropped) { dropped_ = std::move(dropped); }
  std::size_t size() const { return boxes_.size(); }

 private:
  bool was_dropped(Rank rank) const;
  void drop_if_unused(Rank rank);

  std::unordered_map<std::int32_t, std::unique_ptr<Mailbox>> boxes_;
  /// By a rank's low bits, the youngest one that has been dropped, plus 1. Ranks with the same low
  /// bits live one after another.
  std::vector<std::int32_t> youngest_dropped_;
  Mailbox ended_{};
  Dropped dropped_ = [](Rank) {};
};

}  // namespace earl::fibers
