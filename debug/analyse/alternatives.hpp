// SPDX-License-Identifier: BSD-3-Clause
/// Alternative decisions of a run: each is a step that a replay can take.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "debug/analyse/candidates.hpp"
#include "debug/trace/path.hpp"

namespace earl::analyse {

struct Alternative {
  enum class Kind : std::uint8_t {
    frontier,  ///< a race that hangs on no other
    race,
    answer,  ///< of a probe, a try or a test
  };
  Kind kind = Kind::race;
  trace::PathStep step{};
};

struct Alternatives {
  std::vector<Alternative> all{};
  std::uint64_t races = 0;
  std::uint64_t unforceable = 0;  ///< races of handlers, whose message no replay can choose
};

Alternatives alternatives_of(History& history);

/// The path that gives the race's receive `message`. Null: a handler took it.
std::optional<trace::PathStep> step_to(History const& history, Race const& race,
                                       std::uint32_t message);

/// Whether what `filter` accepts, of those of `rank`, has `message` in it.
bool accepts(History const& history, std::uint32_t rank, std::uint32_t filter,
             std::uint32_t message);

/// The number of answers "no" in a row, of one place in the program, that count as different. Loops
/// that test one request after the other would have too many.
constexpr std::uint64_t most_misses(OpKind operation) { return operation == OpKind::test ? 2 : 3; }

/// Counts them; must see all questions of a rank in their order.
class MissCounter {
 public:
  /// The answers "no" of a question that still count.
  std::uint64_t counted(Question const& question);
  /// Whether one more "no" instead of a yes is another run.
  bool is_distinct_miss(Question const& question) const;

 private:
  std::map<std::uint32_t, std::uint64_t> by_site_{};
  std::uint32_t last_ = none;  ///< completion
};

}  // namespace earl::analyse
