// SPDX-License-Identifier: BSD-3-Clause
/// Small numbers for operations under way.
#pragma once

#include <utility>
#include <vector>

namespace earl {

/// Numbers count from 1, because programs end their lists with 0; the one given back last is given
/// out next.
template <class T>
class Numbered {
 public:
  int open(T thing) {
    if (free_.empty()) {
      slots_.push_back({std::move(thing), true});
      return static_cast<int>(slots_.size());
    }
    int const number = free_.back();
    free_.pop_back();
    slots_[index(number)] = {std::move(thing), true};
    return number;
  }
  /// Null: the number was never given out or is given back.
  T* find(int number) {
    bool const open = number >= 1 && index(number) < slots_.size() && slots_[index(number)].open;
    return open ? &slots_[index(number)].thing : nullptr;
  }
  /// Takes the object that find() has found; its number is free again.
  T close(int number) {
    slots_[index(number)].open = false;
    free_.push_back(number);
    return std::move(slots_[index(number)].thing);
  }
  /// Whether `wanted(T const&)` holds for one that is open.
  template <class Wanted>
  bool any(Wanted wanted) const {
    for (auto const& slot : slots_)
      if (slot.open && wanted(slot.thing)) return true;
    return false;
  }
  /// Calls visit(T const&) for each that is open, in the order of their numbers.
  template <class Visit>
  void each(Visit visit) const {
    for (auto const& slot : slots_)
      if (slot.open) visit(slot.thing);
  }

 private:
  struct Slot {
    T thing{};
    bool open = false;
  };
  static std::size_t index(int number) { return static_cast<std::size_t>(number - 1); }

  std::vector<Slot> slots_{};
  std::vector<int> free_{};
};

}  // namespace earl
