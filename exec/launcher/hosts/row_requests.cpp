// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/hosts/row_requests.hpp"

namespace earl::exec {

namespace {

/// One word to the agents is meant for all rows.
constexpr auto between_hurries = std::chrono::milliseconds{1};

}  // namespace

bool RowRequests::released_by(std::uint32_t agents, Rank rank) {
  auto const [entry, fresh] = answers_.try_emplace(rank, 0);
  if (fresh) ask_(rank);
  if (entry->second < agents) return false;
  answers_.erase(entry);
  return true;
}

void RowRequests::answered(Rank rank) {
  if (auto const found = answers_.find(rank); found != answers_.end()) ++found->second;
}

void RowRequests::wake_peers_for_release() {
  auto const now = Clock::now();
  if (answers_.empty() || now < next_hurry_) return;
  next_hurry_ = now + between_hurries;
  ask_(no_rank);
}

}  // namespace earl::exec
