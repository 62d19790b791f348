// SPDX-License-Identifier: BSD-3-Clause
/// The program's objects, by their handles.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
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
    std::uint32_t const index = take();
    Slot& slot = slots_[index];
    slot.thing = std::move(thing);
    slot.open = true;
    if (site_) [[unlikely]]
      slot.site = (*site_)();
    return handle::of<Value>(handle::Origin::made, kind,
                             slot.generation << handle::generation_at | index);
  }
  /// Null: it is no handle of this table now.
  T* find(Value value) {
    auto const bits = static_cast<std::uint32_t>(handle::bits(value));
    std::uint32_t const index = bits % handle::most_objects;
    if (!handle::is(value, handle::Origin::made, kind) || index >= slots_.size()) return nullptr;
    Slot& slot = slots_[index];
    bool const live =
        slot.open && slot.generation == (bits >> handle::generation_at) % handle::most_generations;
    return live ? &slot.thing : nullptr;
  }
  /// The object that find() has found; the handle is stale from then on.
  T close(Value value) {
    auto const index = static_cast<std::uint32_t>(handle::bits(value)) % handle::most_objects;
    Slot& slot = slots_[index];
    slot.open = false;
    slot.generation = slot.generation + 1 < handle::most_generations ? slot.generation + 1 : 1;
    free_.push_back(index);
    return std::exchange(slot.thing, T{});
  }
  /// Calls visit(T&) for all that are open, in the order of their places.
  template <class Visit>
  void each(Visit visit) {
    for (auto& slot : slots_)
      if (slot.open) visit(slot.thing);
  }

  /// From now on open() notes which call it serves; `site` stays.
  void note_sites(CallSite const& site) { site_ = &site; }
  /// Calls visit(site) for all that are open, in the order of their places.
  template <class Visit>
  void each_site(Visit visit) const {
    for (auto const& slot : slots_)
      if (slot.open) visit(slot.site);
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
    if (slots_.size() == handle::most_objects)
      throw MpiError(ErrorClass::other, "{} handles of one kind are open; free some",
                     handle::most_objects);
    slots_.emplace_back();
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }

  std::deque<Slot> slots_{};
  std::vector<std::uint32_t> free_{};
  CallSite const* site_ = nullptr;  ///< null: it is not wanted
};

}  // namespace earl::mpi
