// SPDX-License-Identifier: BSD-3-Clause
/// Deviations of one rank from the recorded run.
#pragma once

#include <limits>
#include <optional>
#include <unordered_map>

#include "debug/trace/path.hpp"

namespace earl::replay {

class Deviations {
 public:
  Deviations() = default;
  /// A cut record covers `calls` calls.
  Deviations(trace::Path const& path, Rank rank, bool whole = true, std::uint64_t calls = 0) {
    for (auto const& step : path) {
      if (step.rank != rank) continue;
      if (step.of == trace::PathStep::Of::call)
        free_from_ = step.number;
      else if (step.of == trace::PathStep::Of::question)
        questions_.emplace(step.number, step);
      else
        receives_[step.number] = step.message;
    }
    if (!whole && calls < free_from_) free_from_ = calls;
  }

  /// Whether the recording does not constrain the rank's API call `call` and later ones.
  bool frees(std::uint64_t call) const { return call >= free_from_; }
  /// Null: as recorded. Else the message that receive `post` gets; none: any message.
  std::optional<MessageId> const* receive(std::uint64_t post) const {
    if (receives_.empty()) [[likely]]
      return nullptr;
    auto const found = receives_.find(post);
    return found == receives_.end() ? nullptr : &found->second;
  }
  /// Null: as recorded. Else the answer that question `number` gets.
  trace::PathStep const* question(std::uint64_t number) const {
    if (questions_.empty()) [[likely]]
      return nullptr;
    auto const found = questions_.find(number);
    return found == questions_.end() ? nullptr : &found->second;
  }

 private:
  std::uint64_t free_from_ = std::numeric_limits<std::uint64_t>::max();
  std::unordered_map<std::uint64_t, std::optional<MessageId>> receives_{};
  std::unordered_map<std::uint64_t, trace::PathStep> questions_{};
};

}  // namespace earl::replay
