// SPDX-License-Identifier: BSD-3-Clause
/// MPICH's binary interface. Handles have 32 bits, of which the highest say whether it is null,
/// predefined or made by the program, and of what kind it is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "frontends/mpi/handle_bits.hpp"
#include "frontends/mpi/include/mpi.h"

namespace earl::mpi {

using Handle = int;

inline constexpr char const* front_end = "mpi";
inline constexpr char const* library_version = "Earl, MPI 1.3 with MPICH's binary interface";

/// A null pointer is no MPI_STATUS_IGNORE.
inline constexpr bool null_status_is_ignored = false;

/// MPICH does not count the NUL at the end.
inline constexpr std::size_t longest_info_key = MPI_MAX_INFO_KEY;
inline constexpr std::size_t longest_info_value = MPI_MAX_INFO_VAL;

/// The words of a status that hold its bytes: the low half, and the high half above whether it was
/// cancelled.
template <class Status>
constexpr auto& low_word(Status& status) {
  return status.count_lo;
}
template <class Status>
constexpr auto& high_word(Status& status) {
  return status.count_hi_and_cancelled;
}

/// Fortran's key of a predefined attribute is one above C's.
constexpr bool is_fortran_key(int keyval) { return keyval % 2 == 0; }
constexpr int c_key_of(int keyval) { return is_fortran_key(keyval) ? keyval - 1 : keyval; }

namespace handle {

constexpr Handle null(Kind kind) { return of<Handle>(Origin::null, kind, 0); }
constexpr Handle predefined(Kind kind, std::uint32_t rest) {
  return of<Handle>(Origin::predefined, kind, rest);
}
/// The kind_bits() of a handle, also of a predefined one; 0: none.
constexpr std::uint32_t kind_number(Handle value) {
  bool const has_kind = bits(value) >> origin_at != static_cast<std::uint32_t>(Origin::null);
  return has_kind ? kind_bits(value) : 0;
}
/// The library that the program's header was for, where that is not this one; null: unknown.
constexpr char const* other_library(Handle value) {
  constexpr Handle operations = 0x20, no_more_operations = 0x40, objects = 0x100, end = 0x400;
  bool const is_standard =
      (operations <= value && value < no_more_operations) || (objects <= value && value < end);
  return is_standard ? "libmpi_abi" : nullptr;
}
constexpr bool is_predefined_operation(Handle op) { return MPI_MAX <= op && op <= MPI_NO_OP; }

}  // namespace handle

namespace builtin {

constexpr bool has_datatype_tag(Handle type) {
  return handle::is(type, handle::Origin::predefined, Kind::datatype);
}
/// For types whose items lie without holes.
constexpr std::size_t size_of(Handle type) { return handle::bits(type) >> 8 & 0xff; }
/// Unlike for each, and the same in each binary interface: it travels. 0 for none; the pairs that
/// have holes have none.
constexpr std::uint32_t number_of(Handle type) { return handle::bits(type) & 0xff; }
/// The markers of MPI-1, which later standards have no more.
constexpr bool is_lower_marker(Handle type) { return type == MPI_LB; }
constexpr bool is_upper_marker(Handle type) { return type == MPI_UB; }

}  // namespace builtin
}  // namespace earl::mpi
