// SPDX-License-Identifier: BSD-3-Clause
/// Handles as MPICH's binary interface has them: 32 bits, of which the highest say whether it is
/// null, predefined or made by the program, and of what kind it is.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "frontends/mpi/errors.hpp"

namespace earl::mpi {

using Handle = int;

enum class Kind : std::uint32_t {
  communicator = 1,
  group = 2,
  datatype = 3,
  errhandler = 5,
  operation = 6,
  info = 7,
  window = 8,
  keyval = 9,
  request = 11,
};

namespace handle {

constexpr unsigned kind_at = 26;
constexpr unsigned origin_at = 30;
constexpr unsigned generation_at = 20;
constexpr std::uint32_t most_objects = 1U << generation_at;
constexpr std::uint32_t most_generations = 1U << (kind_at - generation_at);

enum class Origin : std::uint32_t { null = 0, predefined = 1, made = 2 };

constexpr std::uint32_t bits(Handle value) { return static_cast<std::uint32_t>(value); }
constexpr Handle of(Origin origin, Kind kind, std::uint32_t rest) {
  return static_cast<Handle>(static_cast<std::uint32_t>(origin) << origin_at |
                             static_cast<std::uint32_t>(kind) << kind_at | rest);
}
constexpr Handle null(Kind kind) { return of(Origin::null, kind, 0); }
constexpr Handle predefined(Kind kind, std::uint32_t rest) {
  return of(Origin::predefined, kind, rest);
}
/// Whether origin and kind are those.
constexpr bool is(Handle value, Origin origin, Kind kind) {
  return bits(value) >> kind_at == bits(of(origin, kind, 0)) >> kind_at;
}

/// The error of a handle that is none of `kind`: "MPI_COMM_NULL", "a freed one"...
std::string objection(Handle value, Kind kind);
/// As objection(), thrown in the class of `kind`. `argument` names the parameter.
[[noreturn]] void refuse(Handle value, Kind kind, char const* argument);

}  // namespace handle

/// The call of the program that is under way, by its return address.
using CallSite = std::function<void const*()>;

/// The program's objects of one kind. Handles are used again, in another generation; a stale
/// one is found out until there have been 62 others.
template <class T, Kind kind>
class Table {
 public:
  /// Class OTHER: there are a million.
  Handle open(T thing) {
    std::uint32_t const index = take();
    Slot& slot = slots_[index];
    slot.thing = std::move(thing);
    slot.open = true;
    if (site_) [[unlikely]]
      slot.site = (*site_)();
    return handle::of(handle::Origin::made, kind, slot.generation << handle::generation_at | index);
  }
  /// Null: it is no handle of this table now.
  T* find(Handle value) {
    std::uint32_t const bits = handle::bits(value);
    std::uint32_t const index = bits % handle::most_objects;
    if (!handle::is(value, handle::Origin::made, kind) || index >= slots_.size()) return nullptr;
    Slot& slot = slots_[index];
    bool const live =
        slot.open && slot.generation == (bits >> handle::generation_at) % handle::most_generations;
    return live ? &slot.thing : nullptr;
  }
  /// The object that find() has found; the handle is stale from then on.
  T close(Handle value) {
    std::uint32_t const index = handle::bits(value) % handle::most_objects;
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
