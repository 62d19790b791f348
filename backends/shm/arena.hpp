// SPDX-License-Identifier: BSD-3-Clause
/// One process's own share of the job's memory: it alone allocates and frees there, so that nothing
/// is locked. Others only read and write the blocks that they are given.
#pragma once

#include <array>
#include <vector>

#include "backends/shm/segment.hpp"

namespace earl::shm {

class Arena {
 public:
  explicit Arena(Segment& segment) : segment_(segment) {}

  /// A block that can be written without fear of a fault. Contents: anything. Blocks of less than
  /// `large` bytes do not cross a window; larger ones are for Segment::write(), which reports a
  /// lack of memory itself. Throws Error (no_memory).
  Offset take(std::uint64_t size);
  /// Takes a block back; `size` as it was asked for.
  void give(Offset offset, std::uint64_t size);
  /// Zeros for a ring. Only the first page can be written without fear: its sender claims the
  /// others as it comes to them, because most pairs exchange little.
  Offset take_ring();
  /// Takes back a ring that no process reads any more.
  void give_ring(Offset ring);

  static constexpr std::uint64_t large = 128 * 1024;

 private:
  /// A stretch of job memory that blocks are cut from.
  struct Run {
    Offset next = 0;
    Offset end = 0;
    bool has(std::uint64_t size) const { return next != end && size <= end - next; }
  };

  Offset carve(std::uint64_t size);
  Offset carve_small(std::uint64_t size);

  Segment& segment_;
  Run extent_;  ///< nothing in it is committed yet
  Run small_;   ///< all of it is committed
  std::array<std::vector<Offset>, 256> free_;
  std::vector<Offset> rings_;  ///< free, without pages
  std::uint64_t cached_ = 0;   ///< bytes of large free blocks that still have their pages
};

}  // namespace earl::shm
