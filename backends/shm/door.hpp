// SPDX-License-Identifier: BSD-3-Clause
/// Where a process waits, and how others find out whether it must be woken.
#pragma once

#include "backends/shm/segment.hpp"
#include "generic/system/doorbell.hpp"

namespace earl::shm {

/// A set of slots in shared memory, each as the first rank that it is the slot of; on two levels so
/// that 65,536 need not be scanned. Any process adds, the owner removes.
class RankSet {
 public:
  RankSet() = default;
  RankSet(Segment& segment, Offset at)
      : summary_(&segment.at<Shared<std::uint64_t>>(at)),
        leaves_(summary_ + segment.layout().summaries),
        summaries_(segment.layout().summaries),
        size_(segment.layout().leaves) {}

  bool has(Rank rank) const {
    return leaves_[index(rank) / 64].load(std::memory_order_relaxed) & bit(rank);
  }
  void add(Rank rank) {
    const std::size_t leaf = index(rank) / 64;
    leaves_[leaf].fetch_or(bit(rank), std::memory_order_seq_cst);
    summary_[leaf / 64].fetch_or(std::uint64_t{1} << leaf % 64, std::memory_order_seq_cst);
  }
  /// The owner must look again afterwards for the work for which a process may have added `rank`
  /// meanwhile.
  void remove(Rank rank);

  /// No process may use it.
  void clear() {
    for (std::size_t s = 0; s < summaries_; ++s)
      for (auto some = summary_[s].exchange(0); some; some &= some - 1) {
        const std::size_t leaf = s * 64 + static_cast<std::size_t>(std::countr_zero(some));
        if (leaf < size_) leaves_[leaf].store(0);
      }
  }
  /// Calls visit(Rank) for each member. Members that come or go meanwhile may be missed. A set
  /// that is damaged may have members that the job has no place for.
  template <class Visit>
  void each(Visit const& visit) const {
    for (std::size_t s = 0; s < summaries_; ++s)
      for (auto some = summary_[s].load(std::memory_order_relaxed); some; some &= some - 1) {
        const std::size_t leaf = s * 64 + static_cast<std::size_t>(std::countr_zero(some));
        if (leaf >= size_) [[unlikely]] {
          visit(Rank{static_cast<std::int32_t>(leaf * 64)});
          continue;
        }
        for (auto bits = leaves_[leaf].load(std::memory_order_relaxed); bits; bits &= bits - 1)
          visit(Rank{static_cast<std::int32_t>(leaf * 64 +
                                               static_cast<std::size_t>(std::countr_zero(bits)))});
      }
  }

 private:
  static std::uint64_t bit(Rank rank) { return std::uint64_t{1} << index(rank) % 64; }

  Shared<std::uint64_t>* summary_ = nullptr;
  Shared<std::uint64_t>* leaves_ = nullptr;
  std::size_t summaries_ = 0;
  std::size_t size_ = 0;  ///< of leaves_
};

inline bool has_ended(Segment& segment, Rank rank) {
  return ended_in(segment.door(rank).state.load(std::memory_order_relaxed),
                  segment.layout().incarnation(rank));
}

}  // namespace earl::shm
