// SPDX-License-Identifier: BSD-3-Clause
/// The data that a collective exchanges with each member: parts of one datatype or of several.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <optional>
#include <vector>

#include "frontends/mpi/state.hpp"

namespace earl::mpi {

/// Addresses, the lowest and the one behind the highest.
struct AddressRange {
  std::uintptr_t begin = std::numeric_limits<std::uintptr_t>::max();
  std::uintptr_t end = 0;

  static AddressRange of(Bytes bytes) {
    auto const begin = reinterpret_cast<std::uintptr_t>(bytes.data());
    return {begin, begin + bytes.size()};
  }
  bool meets(AddressRange const& other) const { return begin < other.end && other.begin < end; }
};

/// Where the data of `count` items at `base` are.
AddressRange range_of(void const* base, TypeMap const& map, std::size_t count);

/// `Piece` is Bytes or Room. Stays where it is.
template <class Piece>
class Parts {
 public:
  using Byte = typename Piece::element_type;

  /// Class TYPE. No more than `most` parts will be added.
  Parts(State& me, Byte* base, Handle datatype, std::size_t most, ArgumentNames const& names)
      : Parts(base, most, names) {
    map_ = &committed(me, datatype, names.datatype);
  }
  /// Each part says of which datatype it is.
  Parts(Byte* base, std::size_t most, ArgumentNames const& names) : base_(base), names_(names) {
    patterns_.reserve(most);
    pieces_.reserve(most);
  }
  Parts(Parts const&) = delete;
  Parts& operator=(Parts const&) = delete;

  /// `count` items, `place` extents of the datatype behind the base. Classes COUNT and BUFFER.
  void add(int count, std::ptrdiff_t place) { add(*map_, count, place * map_->extent()); }
  /// `count` items of a datatype, `offset` bytes behind the base.
  void add(TypeMap const& map, int count, std::ptrdiff_t offset) {
    Pattern const& pattern = patterns_.emplace_back(map.pattern(checked_count(count, names_)));
    if (pattern.size() == 0) return static_cast<void>(pieces_.emplace_back());
    if (map.true_lower() == 0) check_memory(base_, pattern.size(), names_);
    auto* const at = reinterpret_cast<Byte*>(reinterpret_cast<std::uintptr_t>(base_) +
                                             static_cast<std::uintptr_t>(offset));
    pieces_.push_back(memory_at<Piece>(at, pattern));
    AddressRange const one = range_of(at, map, static_cast<std::size_t>(count));
    range_.begin = std::min(range_.begin, one.begin);
    range_.end = std::max(range_.end, one.end);
  }

  std::span<Pieces<Piece> const> all() const { return {pieces_.data(), pieces_.size()}; }
  AddressRange const& range() const { return range_; }
  /// Puts a copy in the place of the program's memory.
  void detach() {
    std::size_t size = 0;
    for (auto const& one : pieces_) size += one.size();
    copy_ = Buffer{size};
    for (std::size_t at = 0; auto& one : pieces_) {
      MutableBytes const room = copy_.room().subspan(at, one.size());
      at += copy(one, room);
      one = Bytes{room};
    }
  }

 private:
  Byte* base_;
  ArgumentNames const& names_;
  TypeMap const* map_ = nullptr;  ///< null: parts differ
  /// For this many members nothing is allocated.
  static constexpr std::size_t few = 8;
  alignas(std::max_align_t) std::byte room_[few * (sizeof(Pattern) + sizeof(Pieces<Piece>))];
  std::pmr::monotonic_buffer_resource memory_{room_, sizeof room_};
  std::pmr::vector<Pattern> patterns_{&memory_};
  std::pmr::vector<Pieces<Piece>> pieces_{&memory_};
  AddressRange range_{};
  Buffer copy_{};
};

/// Parts of `count` items for so many members, without a gap between them; empty: there is one.
/// Classes TYPE, COUNT and BUFFER.
template <class Piece>
std::optional<Piece> in_one_piece(State& me, typename Piece::element_type* base, int count,
                                  int members, Handle datatype, ArgumentNames const& names) {
  TypeMap const& map = committed(me, datatype, names.datatype);
  Pattern const pattern =
      map.pattern(checked_count(count, names) * static_cast<std::size_t>(members));
  if (!pattern.contiguous()) return std::nullopt;
  if (pattern.size() == 0) return Piece{};
  if (map.true_lower() == 0) check_memory(base, pattern.size(), names);
  return memory_at<Piece>(base, pattern).only();
}

inline bool apart(Bytes one, Bytes other) {
  return !AddressRange::of(one).meets(AddressRange::of(other));
}

/// Counts and displacements as the calls with a v have them; class ARG when one is missing.
struct Counts {
  int const* counts;
  int const* places;
  char const* counts_name;
  char const* places_name = "displs";

  /// The count of one member; class COUNT.
  int count_of(int member) const {
    if (counts[member] < 0)
      throw MpiError(ErrorClass::count, "{}[{}] is {}: pass 0 or more", counts_name, member,
                     counts[member]);
    return counts[member];
  }
};

/// One part for each member: equal ones of `count` items, or as `each` says.
template <class Piece>
void add_all(Parts<Piece>& parts, int members, int count, Counts const* each) {
  if (each) {
    require(each->counts, each->counts_name);
    require(each->places, each->places_name);
  }
  for (int i = 0; i < members; ++i)
    if (each)
      parts.add(each->count_of(i), each->places[i]);
    else
      parts.add(count, std::ptrdiff_t{i} * count);
}

}  // namespace earl::mpi
