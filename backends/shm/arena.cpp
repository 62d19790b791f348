// SPDX-License-Identifier: BSD-3-Clause
#include "backends/shm/arena.hpp"

#include <algorithm>
#include <bit>

namespace earl::shm {

namespace {

/// Blocks come in four sizes per power of two: at most a quarter is wasted, and any block that was
/// given back suits the next request of its class.
struct SizeClass {
  std::size_t number = 0;
  std::uint64_t bytes = 0;
};

SizeClass class_of(std::uint64_t size) {
  size = std::max<std::uint64_t>(size, cache_line);
  auto const log = static_cast<unsigned>(std::bit_width(size - 1));  // 2^(log-1) < size <= 2^log
  const std::uint64_t step = std::max<std::uint64_t>(std::uint64_t{1} << (log - 3), cache_line);
  const std::uint64_t bytes = round_up(size, step);
  auto const quarter = (bytes - 1 - (std::uint64_t{1} << (log - 1))) >> (log - 3);
  return {log * 4 + static_cast<std::size_t>(quarter & 3), bytes};
}

constexpr std::uint64_t small_block = page;     ///< below it, blocks share committed memory
constexpr std::uint64_t small_run = 64 * 1024;  ///< committed at a time for them
/// Pages kept in freed large blocks, because a sender of long messages soon needs them again.
constexpr std::uint64_t most_cached = 8 << 20;
/// Marks a free block whose pages are gone; blocks are aligned, so the bit is free.
constexpr Offset punched = 1;

}  // namespace

Offset Arena::take(std::uint64_t size) {
  const SizeClass wanted = class_of(size);
  auto& free = free_[wanted.number];
  if (!free.empty()) {
    const Offset block = free.back();
    free.pop_back();
    if (wanted.bytes >= large && !(block & punched)) cached_ -= wanted.bytes;
    return block & ~punched;
  }
  if (wanted.bytes < small_block) return carve_small(wanted.bytes);
  if (wanted.bytes >= large) return segment_.take(wanted.bytes);
  const std::uint64_t pages = round_up(wanted.bytes, page);
  const Offset offset = carve(pages);
  segment_.reserve(offset, pages);
  return offset;
}

void Arena::give(Offset offset, std::uint64_t size) {
  const SizeClass was = class_of(size);
  bool const keep = was.bytes < large || cached_ + was.bytes <= most_cached;
  free_[was.number].push_back(keep ? offset : offset | punched);
  if (!keep)
    segment_.punch(offset, was.bytes);
  else if (was.bytes >= large)
    cached_ += was.bytes;
}

Offset Arena::take_ring() {
  const Offset offset = rings_.empty() ? carve(ring_bytes) : rings_.back();
  if (!rings_.empty()) rings_.pop_back();
  segment_.reserve(offset, page);
  return offset;
}

void Arena::give_ring(Offset ring) {
  segment_.punch(ring, ring_bytes);
  rings_.push_back(ring);
}

/// Cuts whole pages off the extent, or off a new one; the rest of the old one is never touched and
/// so costs nothing.
Offset Arena::carve(std::uint64_t size) {
  if (!extent_.has(size)) {
    const Offset start = segment_.take(extent);
    extent_ = {start, start + extent};
  }
  const Offset offset = extent_.next;
  extent_.next += size;
  return offset;
}

Offset Arena::carve_small(std::uint64_t size) {
  if (!small_.has(size)) {
    const Offset start = carve(small_run);
    segment_.reserve(start, small_run);
    small_ = {start, start + small_run};
  }
  const Offset offset = small_.next;
  small_.next += size;
  return offset;
}

}  // namespace earl::shm
