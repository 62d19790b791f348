// SPDX-License-Identifier: BSD-3-Clause
/// Rows of ended processes that EXEC has asked the agents to free.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "generic/base/values.hpp"

namespace earl::exec {

class RowRequests {
 public:
  /// `ask` asks all agents to free the row of that process; of no_rank: to wake those that keep
  /// some.
  explicit RowRequests(std::function<void(Rank)> ask) : ask_(std::move(ask)) {}

  /// Whether all of so many agents have freed it; they are asked the first time. True once.
  bool released_by(std::uint32_t agents, Rank rank);
  /// One more has.
  void answered(Rank rank);
  void wake_peers_for_release();

 private:
  std::function<void(Rank)> ask_;
  std::map<Rank, std::uint32_t> answers_{};  ///< those asked for
  Deadline next_hurry_{};
};

}  // namespace earl::exec
