// SPDX-License-Identifier: BSD-3-Clause
/// The heap of a rank, as fresh as that of a process of its own: memory that was not freed before
/// is zero, and what others allocate changes no address.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "generic/base/size_class.hpp"
#include "generic/base/values.hpp"

namespace earl::fibers {

class RankHeap {
 public:
  /// Takes up addresses, which follow from the rank. Where they are not to be had (another mapping,
  /// a limit to address space, a great many ranks) the heap is empty for ever.
  explicit RankHeap(Rank rank);
  ~RankHeap();
  RankHeap(RankHeap const&) = delete;
  RankHeap& operator=(RankHeap const&) = delete;

  /// Whose heap the address is in, if that lives or has lived; none: no rank's.
  static std::optional<Rank> owner_of(void const* address);

  struct Block {
    void* memory = nullptr;  ///< null: no room
    bool zero = false;       ///< all of it
  };
  /// `alignment`: a power of two.
  Block allocate(std::size_t size, std::size_t alignment);
  /// False: this is no block, or has been released.
  [[nodiscard]] bool release(void* memory);
  /// Of a block.
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
