// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/heap_runs.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

namespace earl::heap {

namespace {

constexpr std::size_t word_bits = 64;

}  // namespace

struct FreeRuns::FreeRun : Run {
  FreeRun* next = nullptr;
  FreeRun* previous = nullptr;
  std::size_t resident = 0;  ///< bytes that may have pages
};

/// The first bin from there on that is not empty; size_classes: all are.
std::size_t FreeRuns::first_bin(std::size_t from) const {
  for (auto word = from / word_bits; word < filled_.size(); ++word) {
    auto const bits = word == from / word_bits
                          ? filled_[word] >> from % word_bits << from % word_bits
                          : filled_[word];
    if (bits != 0) return word * word_bits + static_cast<std::size_t>(std::countr_zero(bits));
  }
  return size_classes;
}

/// Null: it is the last.
Run* FreeRuns::after(Run& run) const {
  if (&run == last_) return nullptr;
  return reinterpret_cast<Run*>(reinterpret_cast<std::byte*>(&run) + run.size);
}

void FreeRuns::resize(Run& run, std::size_t size) {
  run.size = size;
  if (auto* const next = after(run)) next->before = size;
}

void FreeRuns::link(FreeRun& run) {
  auto const bin = bin_of(run.size);
  run.free = true;
  run.previous = nullptr;
  run.next = bins_[bin];
  if (run.next) run.next->previous = &run;
  bins_[bin] = &run;
  filled_[bin / word_bits] |= std::uint64_t{1} << bin % word_bits;
  resident_ += run.resident;
}

void FreeRuns::unlink(FreeRun& run) {
  auto const bin = bin_of(run.size);
  run.free = false;
  if (run.next) run.next->previous = run.previous;
  (run.previous ? run.previous->next : bins_[bin]) = run.next;
  if (!bins_[bin]) filled_[bin / word_bits] &= ~(std::uint64_t{1} << bin % word_bits);
  resident_ -= run.resident;
}

Run* FreeRuns::take(std::size_t size) {
  auto const bin = first_bin(class_of(size));
  if (bin == size_classes) return nullptr;
  auto& run = *bins_[bin];
  unlink(run);
  if (run.size < size + least) return &run;
  auto* const rest = reinterpret_cast<FreeRun*>(reinterpret_cast<std::byte*>(&run) + size);
  *rest = FreeRun{};
  rest->resident = run.resident - std::min(run.resident, size);
  auto const rest_size = run.size - size;
  if (&run == last_) last_ = rest;
  run.size = size;
  rest->before = size;
  resize(*rest, rest_size);
  link(*rest);
  return &run;
}

/// The number of its bytes that keep their pages.
std::size_t FreeRuns::keep_or_drop_pages(Run& run) const {
  if (resident_ + run.size <= most_resident) return run.size;
  auto const begin = reinterpret_cast<std::uintptr_t>(&run);
  auto const from = round_up(begin + sizeof(FreeRun), page);
  auto const to = (begin + run.size) & ~(page - 1);
  ::madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
  return 0;
}

void FreeRuns::release(Run& run) {
  auto resident = keep_or_drop_pages(run);
  auto* whole = &run;
  auto size = run.size;
  if (auto* const next = after(run); next && next->free) {
    auto& other = static_cast<FreeRun&>(*next);
    unlink(other);
    if (next == last_) last_ = whole;
    size += other.size;
    resident += other.resident;
  }
  if (run.before != 0) {
    auto& other = *reinterpret_cast<FreeRun*>(reinterpret_cast<std::byte*>(&run) - run.before);
    if (other.free) {
      unlink(other);
      if (whole == last_) last_ = &other;
      size += other.size;
      resident += other.resident;
      whole = &other;
    }
  }
  resize(*whole, size);
  auto& freed = static_cast<FreeRun&>(*whole);
  freed.resident = resident;
  link(freed);
}

void FreeRuns::extend(void* memory, std::size_t size) {
  if (last_ && last_->free) {
    auto& run = static_cast<FreeRun&>(*last_);
    unlink(run);
    run.size += size;
    return link(run);
  }
  auto& run = *static_cast<FreeRun*>(memory);
  run = FreeRun{};
  run.size = size;
  run.before = last_ ? last_->size : 0;
  last_ = &run;
  link(run);
}

}  // namespace earl::heap
