// SPDX-License-Identifier: BSD-3-Clause
/// Datatypes: predefined ones, which their handles describe, and those that programs make. Messages
/// ask only for the bytes of (buffer, count, datatype).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/mpi/counted.hpp"
#include "frontends/mpi/handles.hpp"
#include "frontends/mpi/typemap.hpp"

namespace earl::mpi {

class State;

/// A datatype that the program has made.
struct Datatype final : Counted {
  explicit Datatype(TypeMap what) : map(std::move(what)) {}

  TypeMap map;
  std::string name{};  ///< as MPI_Type_set_name has it
  bool committed = false;
};

namespace builtin {

constexpr bool looks_like_one(Handle type) {
  return handle::is(type, handle::Origin::predefined, Kind::datatype);
}
/// Of those whose items lie without holes.
constexpr std::size_t size_of(Handle type) { return handle::bits(type) >> 8 & 0xff; }
/// Unlike for each, 0 for none; the pairs that have holes have numbers of their own.
constexpr std::uint32_t number_of(Handle type) { return handle::bits(type) & 0xff; }
/// Whether it is one whose items lie without holes; not of the markers MPI_LB and MPI_UB.
bool exists(Handle type);
/// Any that is predefined, pairs with holes and markers too; null: it is none.
TypeMap const* find(Handle type);
/// Of those without holes, by number_of(); 0: there is none.
Handle by_number(std::uint32_t number);
/// "MPI_INT"; empty: it has none.
std::string_view name_of(Handle type);

}  // namespace builtin

/// What `pieces` of a payload refer to: to be kept, where it is, as long as they are used.
struct Kept {
  std::unique_ptr<Pattern> pattern{};  ///< null: one piece
  Ref<Datatype> datatype{};            ///< the pattern's
};

/// The memory of an operation. May be moved. `Piece` is Bytes or Room.
template <class Piece>
struct Payload {
  Pieces<Piece> pieces{};
  std::uint32_t signature = 0;  ///< of what is sent: 12 bits, for comparisons; 0: unknown
  Kept kept{};
};
using Outgoing = Payload<Bytes>;
using Incoming = Payload<Room>;

/// The bytes of (buffer, count, datatype). Classes COUNT, TYPE and BUFFER. The datatype may be
/// freed while they are in use.
Outgoing outgoing(State& me, void const* buffer, int count, Handle datatype);
Incoming incoming(State& me, void* buffer, int count, Handle datatype);

/// Any datatype, also one that is not committed; class TYPE. `argument` names the parameter.
TypeMap const& map_of(State& me, Handle datatype, char const* argument = "datatype");
/// One that may be sent: committed. Class TYPE.
TypeMap const& committed(State& me, Handle datatype, char const* argument = "datatype");
/// What the first `bytes` bytes of items of such a type consist of, as Payload::signature.
std::uint32_t signature_of(TypeMap const& map, std::uint64_t bytes);

/// Bytes of data of one item; class TYPE.
std::size_t size_of(State& me, Handle datatype);

/// The memory at `base` that a pattern describes, which must live as long; `base` may be null where
/// the layout has absolute addresses.
template <class Piece>
Pieces<Piece> memory_at(typename Piece::element_type* base, Pattern const& pattern) {
  auto const start = pattern.contiguous();
  if (!start) return {base, pattern};
  auto const address = reinterpret_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(*start);
  return Piece{reinterpret_cast<typename Piece::element_type*>(address), pattern.size()};
}

}  // namespace earl::mpi
