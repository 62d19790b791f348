// SPDX-License-Identifier: BSD-3-Clause
/// The binary interface of MPI-5.0. Handles are as wide as pointers. Predefined ones have 10 bits,
/// a prefix code of their kinds; those that programs make have 32, as in MPICH's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "frontends/mpi/handle_bits.hpp"

// A pointer and a number of its width are passed alike; numbers can be compared when compiling.
#define EARL_MPI_HANDLE(type) std::intptr_t
#include "frontends/mpi_abi/include/mpi.h"

/// The function behind MPI_COMM_DUP_FN, which is MPICH's too. Not exported.
extern "C" MPI_Comm_copy_attr_function MPIR_Dup_fn;

namespace earl::mpi {

using Handle = std::intptr_t;

inline constexpr char const* front_end = "mpi_abi";
inline constexpr char const* library_version = "Earl, MPI 1.3 with the standard binary interface";

/// MPI_STATUS_IGNORE is a null pointer.
inline constexpr bool null_status_is_ignored = true;

/// The standard counts the NUL at the end.
inline constexpr std::size_t longest_info_key = MPI_MAX_INFO_KEY - 1;
inline constexpr std::size_t longest_info_value = MPI_MAX_INFO_VAL - 1;

/// The words of a status that hold its bytes: the low half, and the high half above whether it was
/// cancelled.
template <class Status>
constexpr auto& low_word(Status& status) {
  return status.MPI_internal[0];
}
template <class Status>
constexpr auto& high_word(Status& status) {
  return status.MPI_internal[1];
}

/// There is no Fortran library.
constexpr bool is_fortran_key(int) { return false; }
constexpr int c_key_of(int keyval) { return keyval; }

namespace handle {

constexpr std::uintptr_t end_of_predefined = 0x400;

/// Not of keyvals, which are no handles.
constexpr Handle null(Kind kind) {
  switch (kind) {
    case Kind::communicator:
      return MPI_COMM_NULL;
    case Kind::group:
      return MPI_GROUP_NULL;
    case Kind::datatype:
      return MPI_DATATYPE_NULL;
    case Kind::errhandler:
      return MPI_ERRHANDLER_NULL;
    case Kind::operation:
      return MPI_OP_NULL;
    case Kind::info:
      return MPI_INFO_NULL;
    case Kind::window:
      return MPI_WIN_NULL;
    case Kind::request:
      return MPI_REQUEST_NULL;
    default:
      return MPI_KEYVAL_INVALID;
  }
}

/// The kind_bits() of a handle, also of a predefined one; 0: none.
constexpr std::uint32_t kind_number(Handle value) {
  if (bits(value) >= end_of_predefined) {
    auto const kind = static_cast<Kind>(kind_bits(value));
    return is(value, Origin::made, kind) ? kind_bits(value) : 0;
  }
  // The words of the prefix code: how many handles begin as the null one of the kind does.
  struct Prefix {
    Kind kind;
    std::uintptr_t size;
  };
  constexpr Prefix prefixes[]{
      {Kind::operation, 0x20}, {Kind::communicator, 8}, {Kind::group, 8},
      {Kind::window, 8},       {Kind::info, 8},         {Kind::errhandler, 0x40},
      {Kind::request, 0x80},   {Kind::datatype, 0x200},
  };
  for (auto const& [kind, size] : prefixes)
    if (bits(value) - bits(null(kind)) < size) return static_cast<std::uint32_t>(kind);
  return 0;
}
/// The library that the program's header was for, where that is not this one; null: unknown.
constexpr char const* other_library(Handle value) {
  auto const kind = static_cast<Kind>(kind_bits(value));
  bool const is_mpichs = is(value, Origin::predefined, kind) || is(value, Origin::null, kind);
  return is_mpichs && kind_bits(value) != 0 ? "libmpich" : nullptr;
}
constexpr bool is_predefined_operation(Handle op) {
  return op != MPI_OP_NULL && bits(op) < end_of_predefined &&
         kind_number(op) == static_cast<std::uint32_t>(Kind::operation);
}

}  // namespace handle

namespace builtin {

constexpr std::uintptr_t datatypes_at = handle::bits(handle::null(Kind::datatype));

/// Bits 3 to 5 of a type whose size is fixed are its logarithm.
constexpr std::uint8_t fixed_size_of(Handle type) {
  return static_cast<std::uint8_t>(1U << (handle::bits(type) >> 3 & 7));
}

struct Facts {
  std::uint8_t number = 0;
  std::uint8_t size = 0;
};
/// For the types without holes, by the low bits of their handles. Numbers are those of MPICH's
/// handles.
inline constexpr auto facts = [] {
  struct Row {
    Handle type;
    std::uint8_t number;
    std::uint8_t size;  ///< 0: its handle says it
  };
  constexpr Row rows[]{
      {MPI_CHAR, 0x01, 0},
      {MPI_UNSIGNED_CHAR, 0x02, 0},
      {MPI_SHORT, 0x03, sizeof(short)},
      {MPI_UNSIGNED_SHORT, 0x04, sizeof(short)},
      {MPI_INT, 0x05, sizeof(int)},
      {MPI_UNSIGNED, 0x06, sizeof(int)},
      {MPI_LONG, 0x07, sizeof(long)},
      {MPI_UNSIGNED_LONG, 0x08, sizeof(long)},
      {MPI_LONG_LONG, 0x09, sizeof(std::int64_t)},
      {MPI_FLOAT, 0x0a, sizeof(float)},
      {MPI_DOUBLE, 0x0b, sizeof(double)},
      {MPI_LONG_DOUBLE, 0x0c, sizeof(long double)},
      {MPI_BYTE, 0x0d, 0},
      {MPI_WCHAR, 0x0e, sizeof(wchar_t)},
      {MPI_PACKED, 0x0f, 1},
      {MPI_2INT, 0x16, 2 * sizeof(int)},
      {MPI_SIGNED_CHAR, 0x18, 0},
      {MPI_UNSIGNED_LONG_LONG, 0x19, sizeof(std::int64_t)},
      {MPI_CHARACTER, 0x1a, 1},
      {MPI_INTEGER, 0x1b, sizeof(int)},
      {MPI_REAL, 0x1c, sizeof(float)},
      {MPI_LOGICAL, 0x1d, sizeof(int)},
      {MPI_COMPLEX, 0x1e, 2 * sizeof(float)},
      {MPI_DOUBLE_PRECISION, 0x1f, sizeof(double)},
      {MPI_2INTEGER, 0x20, 2 * sizeof(int)},
      {MPI_2REAL, 0x21, 2 * sizeof(float)},
      {MPI_DOUBLE_COMPLEX, 0x22, 2 * sizeof(double)},
      {MPI_2DOUBLE_PRECISION, 0x23, 2 * sizeof(double)},
      {MPI_REAL4, 0x27, 0},
      {MPI_COMPLEX8, 0x28, 0},
      {MPI_REAL8, 0x29, 0},
      {MPI_COMPLEX16, 0x2a, 0},
      {MPI_REAL16, 0x2b, 0},
      {MPI_COMPLEX32, 0x2c, 0},
      {MPI_INTEGER1, 0x2d, 0},
      {MPI_INTEGER2, 0x2f, 0},
      {MPI_INTEGER4, 0x30, 0},
      {MPI_INTEGER8, 0x31, 0},
      {MPI_CXX_BOOL, 0x33, sizeof(bool)},
      {MPI_CXX_FLOAT_COMPLEX, 0x34, 2 * sizeof(float)},
      {MPI_CXX_DOUBLE_COMPLEX, 0x35, 2 * sizeof(double)},
      {MPI_CXX_LONG_DOUBLE_COMPLEX, 0x36, 2 * sizeof(long double)},
      {MPI_INT8_T, 0x37, 0},
      {MPI_INT16_T, 0x38, 0},
      {MPI_INT32_T, 0x39, 0},
      {MPI_INT64_T, 0x3a, 0},
      {MPI_UINT8_T, 0x3b, 0},
      {MPI_UINT16_T, 0x3c, 0},
      {MPI_UINT32_T, 0x3d, 0},
      {MPI_UINT64_T, 0x3e, 0},
      {MPI_C_BOOL, 0x3f, sizeof(bool)},
      {MPI_C_FLOAT_COMPLEX, 0x40, 2 * sizeof(float)},
      {MPI_C_DOUBLE_COMPLEX, 0x41, 2 * sizeof(double)},
      {MPI_C_LONG_DOUBLE_COMPLEX, 0x42, 2 * sizeof(long double)},
      {MPI_AINT, 0x43, sizeof(MPI_Aint)},
      {MPI_OFFSET, 0x44, sizeof(MPI_Offset)},
      {MPI_COUNT, 0x45, sizeof(MPI_Count)},
  };
  std::array<Facts, 256> all{};
  for (auto const& [type, number, size] : rows)
    all[handle::bits(type) - datatypes_at] = {number, size != 0 ? size : fixed_size_of(type)};
  return all;
}();

constexpr Facts const& facts_of(Handle type) { return facts[handle::bits(type) & 0xff]; }

constexpr bool has_datatype_tag(Handle type) {
  return handle::bits(type) - datatypes_at < facts.size();
}
/// For types whose items lie without holes.
constexpr std::size_t size_of(Handle type) { return facts_of(type).size; }
/// Unlike for each, and the same in each binary interface: it travels. 0 for none; the pairs that
/// have holes have none.
constexpr std::uint32_t number_of(Handle type) { return facts_of(type).number; }
/// The markers of MPI-1, which the standard has no more.
constexpr bool is_lower_marker(Handle) { return false; }
constexpr bool is_upper_marker(Handle) { return false; }

}  // namespace builtin
}  // namespace earl::mpi
