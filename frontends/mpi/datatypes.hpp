// SPDX-License-Identifier: BSD-3-Clause
/// Datatypes: predefined ones, which their handles describe, and those that programs make. Messages
/// ask only for the bytes of (buffer, count, datatype).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "frontends/mpi/abi.hpp"
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

struct Datatypes final : Table<Ref<Datatype>, Kind::datatype> {
  std::map<Handle, std::string> renamed{};  ///< predefined ones that the program has named
};

namespace builtin {

/// Datatypes whose items lie without holes and have no padding, by number_of(); 0: there is none.
extern std::array<Handle, 256> const plain;
/// Whether it is one of them; false of the markers MPI_LB and MPI_UB, too.
inline bool is_plain(Handle type) {
  return has_datatype_tag(type) && plain[number_of(type)] == type;
}
/// The value of Payload::signature.
inline std::uint32_t signature_of(Handle type) { return type == MPI_PACKED ? 0 : number_of(type); }
/// Any that is predefined, pairs with holes and markers too; null: it is none.
TypeMap const* find(Handle type);
/// The types whose items lie without holes, by number_of(); 0: there is none.
Handle by_number(std::uint32_t number);
/// The number_of() a datatype, also of the pairs that have holes.
std::uint32_t code_of(Handle type);
Handle by_code(std::uint32_t code);
/// "MPI_INT"; empty: it has none.
std::string_view name_of(Handle type);

}  // namespace builtin

/// The memory that `pieces` of a payload refer to: to be kept, where it is, as long as they are
/// used.
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
using Incoming = Payload<MutableBytes>;

/// The parameters of a call that describe memory, for sentences.
struct ArgumentNames {
  char const* buffer = "buf";
  char const* count = "count";
  char const* datatype = "datatype";
};
inline constexpr ArgumentNames plain_names{};
inline constexpr ArgumentNames send_names{"sendbuf", "sendcount", "sendtype"};
inline constexpr ArgumentNames receive_names{"recvbuf", "recvcount", "recvtype"};

[[noreturn]] void refuse_count(int count, ArgumentNames const& names);
[[noreturn]] void refuse_memory(std::size_t length, ArgumentNames const& names);

inline std::size_t checked_count(int count, ArgumentNames const& names) {
  if (count < 0) [[unlikely]]
    refuse_count(count, names);
  return static_cast<std::size_t>(count);
}
/// Class BUFFER: there is no memory for some bytes, and no absolute addresses either.
inline void check_memory(void const* buffer, std::size_t length, ArgumentNames const& names) {
  if (!buffer && length > 0) [[unlikely]]
    refuse_memory(length, names);
}

/// The memory of `count` items of a datatype that builtin::is_plain(). Classes COUNT and BUFFER.
template <class Piece, class Memory>
Piece plain_memory(Memory* buffer, int count, Handle datatype, ArgumentNames const& names) {
  const std::size_t length = checked_count(count, names) * builtin::size_of(datatype);
  check_memory(buffer, length, names);
  return Piece{static_cast<typename Piece::element_type*>(buffer), length};
}

/// A Payload of a call that returns when its memory is no longer in use: nothing is kept. Stays
/// where it is.
template <class Piece>
class Borrowed {
 public:
  using Byte = typename Piece::element_type;
  using Memory = std::conditional_t<std::is_const_v<Byte>, void const, void>;

  Borrowed(State& me, Memory* buffer, int count, Handle datatype,
           ArgumentNames const& names = plain_names) {
    if (builtin::is_plain(datatype)) [[likely]] {
      pieces_ = plain_memory<Piece>(buffer, count, datatype, names);
      signature_ = builtin::signature_of(datatype);
    } else {
      describe(me, static_cast<Byte*>(buffer), checked_count(count, names), datatype, names);
    }
  }
  Borrowed(Borrowed const&) = delete;
  Borrowed& operator=(Borrowed const&) = delete;

  Pieces<Piece> const& pieces() const { return pieces_; }
  std::uint32_t signature() const { return signature_; }

 private:
  void describe(State& me, Byte* base, std::size_t items, Handle datatype,
                ArgumentNames const& names);

  Pieces<Piece> pieces_{};
  std::uint32_t signature_ = 0;
  std::optional<Pattern> pattern_{};  ///< that `pieces_` refer to
};

/// The bytes of (buffer, count, datatype). Classes COUNT, TYPE and BUFFER. The datatype may be
/// freed while they are in use.
Outgoing outgoing(State& me, void const* buffer, int count, Handle datatype,
                  ArgumentNames const& names = plain_names);
Incoming incoming(State& me, void* buffer, int count, Handle datatype,
                  ArgumentNames const& names = plain_names);

/// Any datatype, also one that is not committed; class TYPE. `argument` names the parameter.
TypeMap const& map_of(State& me, Handle datatype, char const* argument = "datatype");
/// One that may be sent: committed. Class TYPE.
TypeMap const& committed(State& me, Handle datatype, char const* argument = "datatype");
/// The signature of the first `bytes` bytes of items of such a type, as Payload::signature.
std::uint32_t signature_of(TypeMap const& map, std::uint64_t bytes);

/// For sentences: its name, else its handle.
std::string datatype_text(State& me, Handle datatype);
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
