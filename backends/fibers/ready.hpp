// SPDX-License-Identifier: BSD-3-Clause
/// The runnable ranks, oldest first.
#pragma once

#include <utility>
#include <vector>

namespace earl::fibers {

template <class One>
class ReadyQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  void add(One& one) {
    if (size_ == places_.size()) [[unlikely]]
      grow();
    place(size_++) = &one;
  }
  One& at(std::size_t nth) { return *place(nth); }
  /// The `nth`; the oldest takes its place.
  One& take(std::size_t nth) {
    auto& taken = *std::exchange(place(nth), place(0));
    ++first_;
    --size_;
    return taken;
  }
  void remove(One const& one) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i)
      if (place(i) != &one) place(kept++) = place(i);
    size_ = kept;
  }

 private:
  /// A power of two of places: the next number after the last is the first place again.
  One*& place(std::size_t nth) { return places_[(first_ + nth) & (places_.size() - 1)]; }

  void grow() {
    std::vector<One*> larger(2 * places_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = place(i);
    places_ = std::move(larger);
    first_ = 0;
  }

  std::vector<One*> places_ = std::vector<One*>(64);
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace earl::fibers
