// SPDX-License-Identifier: BSD-3-Clause
/// The decisions that timing has made in a run: two runs of one order have the same.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "debug/analyse/aftermath.hpp"

namespace earl::explore {

/// Something that a rank learned: a receive completed, a question was answered, or another one.
struct Entry {
  enum class Kind : std::uint8_t { receive, yes, no, other };
  Kind kind = Kind::other;
  std::uint64_t number = 0;  ///< of a receive, as posted
  std::int32_t source = -1;  ///< of the message
  std::uint64_t sequence = 0;
  std::vector<std::int32_t> positions{};  ///< in a list of requests

  bool operator==(Entry const&) const = default;
};

/// The messages of a rank's completed receives, by receive as posted.
std::map<std::uint64_t, MessageId> messages_of(analyse::RankHistory const& rank);

struct RankOutcome {
  std::vector<Entry> entries{};
  std::vector<std::uint64_t> prefixes{0};  ///< [k]: hash of the first k entries
  std::vector<std::uint32_t> places{};     ///< by completion: entries before it
  std::map<std::uint64_t, MessageId> messages{};
};

struct Outcome {
  explicit Outcome(analyse::History const& history);

  std::vector<RankOutcome> ranks{};
  std::uint64_t key = 0;  ///< the same for the same order
};

/// Whether the run did what each step of the path demands.
bool took(analyse::History const& history, trace::Path const& path);

/// The common part of all runs that take one path.
class Constraint {
 public:
  /// For the run with `history` and `outcome`, as one other step leaves it; `after` is that
  /// step's.
  Constraint(analyse::History const& history, Outcome const& outcome,
             analyse::Aftermath const& after, trace::PathStep step);

  bool allows(Outcome const& outcome) const;

 private:
  struct Prefix {
    std::uint32_t entries = 0;
    std::uint64_t hash = 0;
  };
  struct Kept {
    std::uint32_t rank = 0;
    std::uint64_t post = 0;
    MessageId message{};
  };

  bool takes_step(Outcome const& outcome) const;
  bool allows_rank(std::uint32_t rank, RankOutcome const& own) const;

  trace::PathStep step_;
  std::uint32_t entry_ = 0;  ///< a question's
  std::vector<Prefix> prefixes_{};
  std::vector<Kept> kept_{};
};

}  // namespace earl::explore
