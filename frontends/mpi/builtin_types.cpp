// SPDX-License-Identifier: BSD-3-Clause
/// Standard, 3.2.2 and 3.12.3: the predefined datatypes.
#include <algorithm>
#include <array>
#include <utility>

#include "frontends/mpi/datatypes.hpp"

namespace earl::mpi {

namespace {

/// All whose items lie one behind the other.
constexpr Handle simple[]{MPI_CHAR,
                          MPI_UNSIGNED_CHAR,
                          MPI_SIGNED_CHAR,
                          MPI_SHORT,
                          MPI_UNSIGNED_SHORT,
                          MPI_INT,
                          MPI_UNSIGNED,
                          MPI_LONG,
                          MPI_UNSIGNED_LONG,
                          MPI_LONG_LONG_INT,
                          MPI_FLOAT,
                          MPI_DOUBLE,
                          MPI_LONG_DOUBLE,
                          MPI_WCHAR,
                          MPI_AINT,
                          MPI_BYTE,
                          MPI_PACKED,
                          MPI_2INT,
                          MPI_CHARACTER,
                          MPI_INTEGER,
                          MPI_REAL,
                          MPI_LOGICAL,
                          MPI_COMPLEX,
                          MPI_DOUBLE_PRECISION,
                          MPI_DOUBLE_COMPLEX,
                          MPI_2INTEGER,
                          MPI_2REAL,
                          MPI_2DOUBLE_PRECISION,
                          MPI_INTEGER1,
                          MPI_INTEGER2,
                          MPI_INTEGER4,
                          MPI_INTEGER8,
                          MPI_REAL4,
                          MPI_REAL8,
                          MPI_REAL16,
                          MPI_COMPLEX8,
                          MPI_COMPLEX16,
                          MPI_COMPLEX32,
                          MPI_UNSIGNED_LONG_LONG,
                          MPI_INT8_T,
                          MPI_INT16_T,
                          MPI_INT32_T,
                          MPI_INT64_T,
                          MPI_UINT8_T,
                          MPI_UINT16_T,
                          MPI_UINT32_T,
                          MPI_UINT64_T,
                          MPI_C_BOOL,
                          MPI_C_FLOAT_COMPLEX,
                          MPI_C_DOUBLE_COMPLEX,
                          MPI_C_LONG_DOUBLE_COMPLEX,
                          MPI_CXX_BOOL,
                          MPI_CXX_FLOAT_COMPLEX,
                          MPI_CXX_DOUBLE_COMPLEX,
                          MPI_CXX_LONG_DOUBLE_COMPLEX,
                          MPI_OFFSET,
                          MPI_COUNT};

/// `simple`, by number_of(); 0: there is none.
constexpr std::array<Handle, 256> by_numbers = [] {
  std::array<Handle, 256> all{};
  for (Handle const one : simple) all[builtin::number_of(one)] = one;
  return all;
}();

/// Pairs with holes.
constexpr Handle with_holes[]{MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_SHORT_INT,
                              MPI_LONG_DOUBLE_INT};
/// The place of one there; as many: it is none.
std::size_t place_of_pair(Handle type) {
  return static_cast<std::size_t>(std::ranges::find(with_holes, type) - std::begin(with_holes));
}
constexpr std::uint32_t first_pair_code = 256;

constexpr Basic basic_of(Handle type) {
  return {.id = static_cast<std::uint8_t>(builtin::number_of(type)),
          .size = static_cast<std::uint8_t>(builtin::size_of(type))};
}

/// Pairs without holes consist of two; a complex number is one element.
Handle half_of(Handle type) {
  switch (type) {
    case MPI_2INT:
      return MPI_INT;
    case MPI_2INTEGER:
      return MPI_INTEGER;
    case MPI_2REAL:
      return MPI_REAL;
    case MPI_2DOUBLE_PRECISION:
      return MPI_DOUBLE_PRECISION;
    default:
      return 0;
  }
}

/// Complex numbers begin where their halves may.
std::size_t alignment_of(Handle type) {
  switch (type) {
    case MPI_COMPLEX:
    case MPI_COMPLEX8:
    case MPI_C_FLOAT_COMPLEX:
    case MPI_CXX_FLOAT_COMPLEX:
      return alignof(float);
    case MPI_DOUBLE_COMPLEX:
    case MPI_COMPLEX16:
    case MPI_C_DOUBLE_COMPLEX:
    case MPI_CXX_DOUBLE_COMPLEX:
      return alignof(double);
    case MPI_C_LONG_DOUBLE_COMPLEX:
    case MPI_CXX_LONG_DOUBLE_COMPLEX:
      return alignof(long double);
    case MPI_COMPLEX32:
      return builtin::size_of(MPI_REAL16);
    default:
      return builtin::size_of(type);
  }
}

constexpr bool is_long_double(Handle type) {
  return type == MPI_LONG_DOUBLE || type == MPI_C_LONG_DOUBLE_COMPLEX ||
         type == MPI_CXX_LONG_DOUBLE_COMPLEX;
}
Padding padding_of(Handle type) { return is_long_double(type) ? long_double_padding() : Padding{}; }

TypeMap simple_map(Handle type) {
  Handle const half = half_of(type);
  if (half == 0) return TypeMap::basic(basic_of(type), alignment_of(type), padding_of(type));
  return TypeMap::contiguous(2, TypeMap::basic(basic_of(half), builtin::size_of(half)))
      .as_element(builtin::number_of(type));
}

struct Maps {
  std::array<TypeMap, 256> simple_maps{};
  std::array<TypeMap, std::size(with_holes)> pairs{};  ///< by place_of_pair()
  TypeMap lower = TypeMap::lower_marker();
  TypeMap upper = TypeMap::upper_marker();
};

template <class First>
TypeMap pair_of(Handle first) {
  struct Pair {
    First value;
    int place;
  };
  auto const value = simple_map(first), place = simple_map(MPI_INT);
  return TypeMap::structure(std::array{1, 1},
                            std::array<std::ptrdiff_t, 2>{0, offsetof(Pair, place)},
                            std::array{&value, &place});
}

Maps all() {
  Maps table;
  for (Handle const one : simple) table.simple_maps[builtin::number_of(one)] = simple_map(one);
  table.pairs = {pair_of<float>(MPI_FLOAT), pair_of<double>(MPI_DOUBLE), pair_of<long>(MPI_LONG),
                 pair_of<short>(MPI_SHORT), pair_of<long double>(MPI_LONG_DOUBLE)};
  std::uint32_t code = first_pair_code;
  for (auto& pair : table.pairs) pair = pair.as_element(code++);
  return table;
}

Maps const predefined_maps = all();

}  // namespace

constinit std::array<Handle, 256> const builtin::plain = [] {
  std::array<Handle, 256> all = by_numbers;
  if (padded_long_double)
    for (Handle& one : all)
      if (is_long_double(one)) one = 0;
  return all;
}();

Handle builtin::by_number(std::uint32_t number) {
  return number < by_numbers.size() ? by_numbers[number] : 0;
}

std::uint32_t builtin::code_of(Handle type) {
  auto const pair = place_of_pair(type);
  return pair < std::size(with_holes) ? first_pair_code + static_cast<std::uint32_t>(pair)
                                      : number_of(type);
}

Handle builtin::by_code(std::uint32_t code) {
  bool const is_pair = first_pair_code <= code && code - first_pair_code < std::size(with_holes);
  return is_pair ? with_holes[code - first_pair_code] : by_number(code);
}

TypeMap const* builtin::find(Handle type) {
  if (has_datatype_tag(type) && by_numbers[number_of(type)] == type)
    return &predefined_maps.simple_maps[number_of(type)];
  if (is_lower_marker(type)) return &predefined_maps.lower;
  if (is_upper_marker(type)) return &predefined_maps.upper;
  auto const pair = place_of_pair(type);
  return pair < predefined_maps.pairs.size() ? &predefined_maps.pairs[pair] : nullptr;
}

}  // namespace earl::mpi
