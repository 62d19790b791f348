// SPDX-License-Identifier: BSD-3-Clause
/// The heap of a rank, as fresh as that of a separate process: memory that was not freed before is
/// zero, and other ranks' allocations change no address.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "generic/base/size_class.hpp"
#include "generic/base/values.hpp"

namespace earl::fibers {

inline constexpr std::size_t page = 4096;
inline constexpr std::size_t usual_alignment = 16;

class RankHeap {
 public:
  /// Reserves addresses, which follow from the rank. If they are not available (another mapping, a
  /// limit to address space, a great many ranks at a time) the heap stays empty.
  explicit RankHeap(Rank rank);
  ~RankHeap();
  RankHeap(RankHeap const&) = delete;
  RankHeap& operator=(RankHeap const&) = delete;

  /// Whether the address is in a heap of a rank, living or ended.
  static bool holds(void const* address);
  /// The heap that the address is in; null: its rank has ended, or it is in none.
  static RankHeap* at(void const* address);

  struct Block {
    void* memory = nullptr;  ///< null: no room
    bool zero = false;       ///< all of it
  };
  /// `alignment`: a power of two.
  Block allocate(std::size_t size, std::size_t alignment);
  /// False: this is no block, or has been released.
  [[nodiscard]] bool release(void* memory);
  /// The usable size of a block.
  static std::size_t usable_size(void const* memory);

 private:
  struct Header;

  static Header* header_of(void const* memory);
  Header* take(std::size_t size_class, bool& fresh);
  bool is_block(Header const* header) const;

  std::uintptr_t next_ = 0, end_ = 0;
  std::uintptr_t start_ = 0;  ///< 0: there is none
  std::array<Header*, heap::size_classes> free_{};
};

}  // namespace earl::fibers
