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
/// one is found out until there have been 62 others.
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
    slot.open = true;
    if (site_) [[unlikely]]
      slot.site = (*site_)();
    value = handle::of<Value>(handle::Origin::made, kind,
                              slot.generation << handle::generation_at | index);
    return slot.thing;
  }
  /// Null: it is no handle of this table now.
  T* find(Value value) {
    auto const bits = static_cast<std::uint32_t>(handle::bits(value));
    std::uint32_t const index = index_of(value);
    if (!handle::is(value, handle::Origin::made, kind) || index >= size_) return nullptr;
    Slot& slot = at(index);
    bool const live =
        slot.open && slot.generation == (bits >> handle::generation_at) % handle::most_generations;
    return live ? &slot.thing : nullptr;
  }
  /// The object that find() has found; the handle is stale from then on.
  T close(Value value) {
    Slot& slot = at(index_of(value));
    T thing = std::move(slot.thing);
    drop(value);
    return thing;
  }
  /// The same, without the object.
  void drop(Value value) {
    auto const index = index_of(value);
    Slot& slot = at(index);
    slot.open = false;
    slot.generation = slot.generation + 1 < handle::most_generations ? slot.generation + 1 : 1;
    free_.push_back(index);
    std::destroy_at(&slot.thing);
    std::construct_at(&slot.thing);
  }
  /// Calls visit(T&) for all that are open, in the order of their places.
  template <class Visit>
  void each(Visit visit) {
    for (std::uint32_t index = 0; index < size_; ++index)
      if (Slot& slot = at(index); slot.open) visit(slot.thing);
  }

  /// From now on open() notes which call it serves; `site` stays.
  void note_sites(CallSite const& site) { site_ = &site; }
  /// Calls visit(site) for all that are open, in the order of their places.
  template <class Visit>
  void each_site(Visit visit) const {
    for (std::uint32_t index = 0; index < size_; ++index)
      if (Slot const& slot = at(index); slot.open) visit(slot.site);
  }

 private:
  // MPICH's pair types look like made ones of generation 0: ours begin with 1.
  struct Slot {
    T thing{};
    std::uint32_t generation = 1;
    bool open = false;
    void const* site = nullptr;  ///< of what made it, where that is noted
  };

  std::uint32_t take() {
    if (!free_.empty()) {
      std::uint32_t const index = free_.back();
      free_.pop_back();
      return index;
    }
    if (size_ == handle::most_objects)
      throw MpiError(ErrorClass::other, "{} handles of one kind are open; free some",
                     handle::most_objects);
    if (size_ % chunk_size == 0) chunks_.push_back(std::make_unique<Chunk>());
    return size_++;
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
  std::vector<std::uint32_t> free_{};
  CallSite const* site_ = nullptr;  ///< null: it is not wanted
};

}  // namespace earl::mpi
