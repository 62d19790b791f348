// SPDX-License-Identifier: BSD-3-Clause
/// Runs of Earl's heap: its large blocks, and what small ones are cut from. They lie side by side
/// without gaps, and free neighbours become one, so that memory that was free once serves any size
/// later.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "generic/base/size_class.hpp"

namespace earl::heap {

inline constexpr std::size_t page = 4096;

/// In front of a run's bytes.
struct alignas(16) Run {
  std::size_t size = 0;    ///< bytes, with this header
  std::size_t before = 0;  ///< size of the run that ends here; 0: none does
  bool free = false;

  std::size_t room() const { return size - sizeof(Run); }
  void* bytes() { return this + 1; }
  static Run& at(void* bytes) { return static_cast<Run*>(bytes)[-1]; }
};

/// Never allocates; the caller has the lock.
class FreeRuns {
 public:
  /// No run is smaller: its size with the header.
  static constexpr std::size_t least = 16 << 10;

  /// The size of the run that take() gives for so many bytes.
  static constexpr std::size_t size_for(std::size_t bytes) {
    auto const size = bytes + sizeof(Run);
    return size_of(class_of(size < least ? least : size));
  }
  /// A run of `size`, which is of size_for(), or a little more; null: none is free.
  Run* take(std::size_t size);
  /// It is free from now on. Loses its pages when too many bytes that are free have theirs.
  void release(Run& run);
  /// The memory that extend() must bring to make take(size) succeed.
  std::size_t missing_for(std::size_t size) const {
    return last_ && last_->free ? size - last_->size : size;
  }
  /// More memory, which begins where the last run ends.
  void extend(void* memory, std::size_t size);

 private:
  struct FreeRun;
  static constexpr std::size_t most_resident = 32 << 20;

  static std::size_t bin_of(std::size_t size) { return class_of(size + 1) - 1; }
  std::size_t first_bin(std::size_t from) const;
  Run* after(Run& run) const;
  void resize(Run& run, std::size_t size);
  void link(FreeRun& run);
  void unlink(FreeRun& run);
  std::size_t keep_or_drop_pages(Run& run) const;

  std::array<FreeRun*, size_classes> bins_{};
  std::array<std::uint64_t, (size_classes + 63) / 64> filled_{};  ///< bins that are not empty
  Run* last_ = nullptr;
  std::size_t resident_ = 0;  ///< bytes of free runs that may have pages
};

}  // namespace earl::heap
