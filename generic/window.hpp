// SPDX-License-Identifier: BSD-3-Clause
/// The most bytes that one process may have under way to another, for ports over back ends that
/// take any amount and keep it in memory of their own.
#pragma once

#include <cstddef>
#include <cstdint>

namespace earl {

/// Both directions of one pair. All counts are bytes since the beginning.
class Window {
 public:
  static constexpr std::size_t most = 64 * 1024;
  /// The receiver answers at the latest when this much is unanswered. With at most this missing,
  /// the largest frame still fits.
  static constexpr std::size_t answer_after = 16 * 1024;
  static constexpr std::size_t largest_frame = 32 * 1024;
  static_assert(answer_after + largest_frame <= most);

  bool has_room(std::size_t size) const { return sent_ - acknowledged_ + size <= most; }
  void sent(std::size_t size) { sent_ += size; }
  /// The data to acknowledge so far, and whether the peer has done so: a mark to wait for.
  std::uint64_t mark() const { return sent_; }
  bool reached(std::uint64_t mark) const { return acknowledged_ >= mark; }
  bool all_acknowledged() const { return reached(mark()); }
  /// The peer says how much it has consumed; a number that cannot be is ignored.
  void acknowledged(std::uint64_t consumed) {
    if (consumed > acknowledged_ && consumed <= sent_) acknowledged_ = consumed;
  }

  void consumed(std::size_t size) { consumed_ += size; }
  std::uint64_t consumed_so_far() const { return consumed_; }
  bool owes_answer() const { return consumed_ - announced_ >= answer_after; }
  /// The amount to report to the peer now; it counts as reported.
  std::uint64_t announce() { return announced_ = consumed_; }

 private:
  std::uint64_t sent_ = 0;
  std::uint64_t acknowledged_ = 0;
  std::uint64_t consumed_ = 0;
  std::uint64_t announced_ = 0;
};

}  // namespace earl
