// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shm/door.hpp"

namespace earl::shm {

void RankSet::remove(Rank rank) {
  const std::size_t leaf = index(rank) / 64;
  const std::uint64_t member = std::uint64_t{1} << leaf % 64;
  auto const before = leaves_[leaf].fetch_and(~bit(rank), std::memory_order_seq_cst);
  if ((before & ~bit(rank)) != 0) return;
  summary_[leaf / 64].fetch_and(~member, std::memory_order_seq_cst);
  if (leaves_[leaf].load(std::memory_order_seq_cst) != 0)  // another process came in between
    summary_[leaf / 64].fetch_or(member, std::memory_order_seq_cst);
}

}  // namespace earl::shm
