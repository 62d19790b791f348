// SPDX-License-Identifier: BSD-3-Clause
/// The program's objects, by their handles.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "frontends/mpi/abi.hpp"
#include "frontends/mpi/errors.hpp"

namespace earl::mpi {

namespace handle {

using Bits = std::make_unsigned_t<Handle>;

/// The error of a handle that is none of `kind`: "MPI_COMM_NULL", "a freed one"...
std::string objection(Bits value, Kind kind);
/// Throws an objection() in the class of `kind`. `argument` names the parameter.
[[noreturn]] void refuse_bits(Bits value, Kind kind, char const* argument);
template <class Value>
[[noreturn]] void refuse(Value value, Kind kind, char const* argument) {
  refuse_bits(bits(value), kind, argument);
}

}  // namespace handle

/// The call of the program that is under way, by its return address.
using CallSite = std::function<void const*()>;

/// The program's objects of one kind. Handles are used again, in another generation; a stale
/// one is found out until there have been 62 others. T is a class.
template <class T, Kind kind>
class Table {
 public:
  /// A keyval is an int in each binary interface.
  using Value = std::conditional_t<kind == Kind::keyval, int, Handle>;

  /// Class OTHER: there are a million.
  Value open(T thing) {
    Value value{};
    add(value) = std::move(thing);
    return value;
  }
  /// A new object, to be filled, and its handle.
  T& add(Value& value) {
    std::uint32_t const index = take();
    Slot& slot = at(index);
    slot.next_free = in_use;
    if (site_) [[unlikely]]
      note_site(slot);
    value = static_cast<Value>(slot.handle);
    return slot;
  }
  /// Null: it is no handle of this table now.
  T* find(Value value) {
    std::uint32_t const index = index_of(value);
    if (index >= size_) return nullptr;
    Slot& slot = at(index);
    return slot.handle == handle::bits(value) && slot.next_free == in_use ? &slot : nullptr;
  }
  /// The object that find() has found; the handle is stale from then on.
  T close(Value value) {
    T& found = at(index_of(value));
    T thing = std::move(found);
    drop(found);
    return thing;
  }
  /// The same, without the object, which is one of this table's.
  void drop(T& thing) {
    auto& slot = static_cast<Slot&>(thing);
    auto const index = slot.handle % handle::most_objects;
    slot.handle = next_handle(slot.handle);
    slot.next_free = std::exchange(first_free_, index);
    thing = T{};
  }
  /// Calls visit(T&) for all that are open, in the order of their places.
  template <class Visit>
  void each(Visit visit) {
    for (std::uint32_t index = 0; index < size_; ++index)
      if (Slot& slot = at(index); slot.next_free == in_use) visit(static_cast<T&>(slot));
  }

  /// From now on open() notes which call it serves; `site` stays.
  void note_sites(CallSite const& site) { site_ = &site; }
  /// Calls visit(site) for all that are open, in the order of their places.
  template <class Visit>
  void each_site(Visit visit) const {
    for (std::uint32_t index = 0; index < size_; ++index)
      if (Slot const& slot = at(index); slot.next_free == in_use) visit(slot.site);
  }

 private:
  static constexpr std::uint32_t in_use = 0xffff'ffff;
  static constexpr std::uint32_t none_free = 0xffff'fffe;
  struct Slot : T {
    std::uint32_t handle = 0;          ///< of the thing, or of the next one
    std::uint32_t next_free = in_use;  ///< the index of the next that is free
    void const* site = nullptr;        ///< of what made it, where that is noted
  };

  /// The first generation's: MPICH's pair types look like made ones of generation 0.
  static std::uint32_t first_handle(std::uint32_t index) {
    return static_cast<std::uint32_t>(handle::bits(
        handle::of<Value>(handle::Origin::made, kind, 1U << handle::generation_at | index)));
  }
  static std::uint32_t next_handle(std::uint32_t last) {
    auto const generation = (last >> handle::generation_at) % handle::most_generations;
    return generation + 1 < handle::most_generations ? last + handle::most_objects
                                                     : first_handle(last % handle::most_objects);
  }

  [[gnu::noinline]] void note_site(Slot& slot) const { slot.site = (*site_)(); }

  std::uint32_t take() {
    if (first_free_ == none_free) [[unlikely]]
      return grow();
    std::uint32_t const index = first_free_;
    first_free_ = at(index).next_free;
    return index;
  }
  [[gnu::noinline]] std::uint32_t grow() {
    if (size_ == handle::most_objects)
      throw MpiError(ErrorClass::other, "{} handles of one kind are open; free some",
                     handle::most_objects);
    if (size_ % chunk_size == 0) chunks_.push_back(std::make_unique<Chunk>());
    std::uint32_t const index = size_++;
    at(index).handle = first_handle(index);
    return index;
  }

  // Objects stay where they are; the numbers are powers of two, because each call finds some.
  static constexpr std::uint32_t chunk_size = 64;
  using Chunk = std::array<Slot, chunk_size>;

  static std::uint32_t index_of(Value value) {
    return static_cast<std::uint32_t>(handle::bits(value)) % handle::most_objects;
  }
  Slot& at(std::uint32_t index) { return (*chunks_[index / chunk_size])[index % chunk_size]; }
  Slot const& at(std::uint32_t index) const {
    return (*chunks_[index / chunk_size])[index % chunk_size];
  }

  std::vector<std::unique_ptr<Chunk>> chunks_{};
  std::uint32_t size_ = 0;
  std::uint32_t first_free_ = none_free;
  CallSite const* site_ = nullptr;  ///< null: it is not wanted
};

}  // namespace earl::mpi
