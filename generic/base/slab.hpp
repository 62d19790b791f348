// SPDX-License-Identifier: BSD-3-Clause
/// Objects that are taken and given back all the time, at addresses that never change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace earl {

/// The part of an object that a Slab needs.
struct Slot {
  Slot* next_free = nullptr;
  std::uint32_t index = 0;
  std::uint32_t generation = 1;  ///< with `index` names one use, so that a stale name is noticed
  bool in_use = false;
};

/// T derives from Slot. Objects lie side by side in blocks, of which each is larger than the one
/// before up to a limit: most programs need few, and programs that need many go through them in
/// order.
template <class T>
class Slab {
 public:
  T& take() {
    if (!free_) [[unlikely]]
      grow();
    T& object = static_cast<T&>(*free_);
    free_ = object.next_free;
    object.in_use = true;
    return object;
  }

  void release(T& object) {
    ++object.generation;
    object.in_use = false;
    object.next_free = free_;
    free_ = &object;
  }

  /// Calls `visit` for all that are taken; it may give back the one it is shown, and no other.
  template <class Visit>
  void each(Visit visit) {
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (std::size_t i = 0; i < blocks_[b].size; ++i)
        if (T& object = blocks_[b].objects[i]; object.in_use) visit(object);
  }

  static std::uint64_t name_of(T const& object) {
    return std::uint64_t{object.generation} << 32 | (std::uint64_t{object.index} + 1);
  }

  /// Null when that use of the object is over or never was.
  T* find(std::uint64_t name) {
    const std::uint64_t position = (name & 0xffff'ffff) - 1;
    const std::size_t block = position / most;
    if (block >= blocks_.size() || position % most >= blocks_[block].size) return nullptr;
    T& object = blocks_[block].objects[position % most];
    return object.generation == name >> 32 ? &object : nullptr;
  }

 private:
  static constexpr std::size_t most = 64;  ///< objects of a block
  struct Block {
    std::unique_ptr<T[]> objects{};
    std::size_t size = 0;
  };

  void grow() {
    const std::size_t block = blocks_.size();
    const std::size_t size = std::min(most, std::size_t{4} << std::min<std::size_t>(block, 8));
    blocks_.push_back({std::make_unique<T[]>(size), size});
    for (std::size_t i = size; i-- > 0;) {
      T& object = blocks_[block].objects[i];
      object.index = static_cast<std::uint32_t>(block * most + i);
      object.next_free = free_;
      free_ = &object;
    }
  }

  std::vector<Block> blocks_;
  Slot* free_ = nullptr;
};

}  // namespace earl
