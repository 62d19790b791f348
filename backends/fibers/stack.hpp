// SPDX-License-Identifier: BSD-3-Clause
/// A rank's stack: reserved, not used until touched, and guarded below.
#pragma once

#include <cstddef>
#include <cstdint>

namespace earl::fibers {

class Stack {
 public:
  /// At least `size` bytes; the `nth`, so that not all begin in the same cache sets. Throws Error
  /// when there is no room.
  Stack(std::size_t size, std::size_t nth);
  ~Stack();
  Stack(Stack const&) = delete;
  Stack& operator=(Stack const&) = delete;

  void* top() const;
  std::size_t size() const { return size_; }
  /// Whether the address is just below: an access there is a stack overflow.
  bool guards(std::uintptr_t address) const;

 private:
  std::uintptr_t lowest_ = 0;  ///< of the guard
  std::size_t size_ = 0;       ///< that was asked for
  std::size_t shift_ = 0;      ///< of the top, down from the end of the memory
};

}  // namespace earl::fibers
