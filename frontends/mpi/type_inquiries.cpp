// SPDX-License-Identifier: BSD-3-Clause
/// MPI-2, 8.4 and 10.2.4: names of datatypes, and Fortran's types by their sizes.
#include <algorithm>

#include "frontends/mpi/call.hpp"
#include "frontends/mpi/text.hpp"

namespace earl::mpi {

namespace {

struct Named {
  Handle type;
  std::string_view name;
};

#define EARL_NAMED(type) \
  Named { type, #type }
constexpr Named predefined_names[]{
    EARL_NAMED(MPI_CHAR),
    EARL_NAMED(MPI_UNSIGNED_CHAR),
    EARL_NAMED(MPI_SIGNED_CHAR),
    EARL_NAMED(MPI_SHORT),
    EARL_NAMED(MPI_UNSIGNED_SHORT),
    EARL_NAMED(MPI_INT),
    EARL_NAMED(MPI_UNSIGNED),
    EARL_NAMED(MPI_LONG),
    EARL_NAMED(MPI_UNSIGNED_LONG),
    EARL_NAMED(MPI_LONG_LONG_INT),
    EARL_NAMED(MPI_UNSIGNED_LONG_LONG),
    EARL_NAMED(MPI_FLOAT),
    EARL_NAMED(MPI_DOUBLE),
    EARL_NAMED(MPI_LONG_DOUBLE),
    EARL_NAMED(MPI_WCHAR),
    EARL_NAMED(MPI_AINT),
    EARL_NAMED(MPI_BYTE),
    EARL_NAMED(MPI_PACKED),
    EARL_NAMED(MPI_FLOAT_INT),
    EARL_NAMED(MPI_DOUBLE_INT),
    EARL_NAMED(MPI_LONG_INT),
    EARL_NAMED(MPI_SHORT_INT),
    EARL_NAMED(MPI_LONG_DOUBLE_INT),
    EARL_NAMED(MPI_2INT),
    EARL_NAMED(MPI_CHARACTER),
    EARL_NAMED(MPI_INTEGER),
    EARL_NAMED(MPI_REAL),
    EARL_NAMED(MPI_LOGICAL),
    EARL_NAMED(MPI_COMPLEX),
    EARL_NAMED(MPI_DOUBLE_PRECISION),
    EARL_NAMED(MPI_DOUBLE_COMPLEX),
    EARL_NAMED(MPI_2INTEGER),
    EARL_NAMED(MPI_2REAL),
    EARL_NAMED(MPI_2DOUBLE_PRECISION),
    EARL_NAMED(MPI_INTEGER1),
    EARL_NAMED(MPI_INTEGER2),
    EARL_NAMED(MPI_INTEGER4),
    EARL_NAMED(MPI_INTEGER8),
    EARL_NAMED(MPI_REAL4),
    EARL_NAMED(MPI_REAL8),
    EARL_NAMED(MPI_REAL16),
    EARL_NAMED(MPI_COMPLEX8),
    EARL_NAMED(MPI_COMPLEX16),
    EARL_NAMED(MPI_COMPLEX32),
    EARL_NAMED(MPI_INT8_T),
    EARL_NAMED(MPI_INT16_T),
    EARL_NAMED(MPI_INT32_T),
    EARL_NAMED(MPI_INT64_T),
    EARL_NAMED(MPI_UINT8_T),
    EARL_NAMED(MPI_UINT16_T),
    EARL_NAMED(MPI_UINT32_T),
    EARL_NAMED(MPI_UINT64_T),
    EARL_NAMED(MPI_C_BOOL),
    EARL_NAMED(MPI_C_FLOAT_COMPLEX),
    EARL_NAMED(MPI_C_DOUBLE_COMPLEX),
    EARL_NAMED(MPI_C_LONG_DOUBLE_COMPLEX),
    EARL_NAMED(MPI_CXX_BOOL),
    EARL_NAMED(MPI_CXX_FLOAT_COMPLEX),
    EARL_NAMED(MPI_CXX_DOUBLE_COMPLEX),
    EARL_NAMED(MPI_CXX_LONG_DOUBLE_COMPLEX),
    EARL_NAMED(MPI_OFFSET),
    EARL_NAMED(MPI_COUNT),
};
#undef EARL_NAMED

/// For one that the program has made; else class TYPE.
std::string_view type_name(State& me, Handle datatype) {
  if (auto* const made = me.datatypes().find(datatype)) return (*made)->name;
  static_cast<void>(map_of(me, datatype));
  auto const& renamed = me.datatypes().renamed;
  auto const found = renamed.find(datatype);
  return found != renamed.end() ? found->second : builtin::name_of(datatype);
}

void set_name(State& me, Handle datatype, char const* name) {
  static_cast<void>(map_of(me, datatype));
  std::string_view const text = &require(name, "type_name");
  auto* const made = me.datatypes().find(datatype);
  auto& kept = made ? (*made)->name : me.datatypes().renamed[datatype];
  kept.assign(text.substr(0, MPI_MAX_OBJECT_NAME - 1));
}

std::span<Handle const> types_of(int type_class) {
  static constexpr Handle reals[]{MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL16};
  static constexpr Handle integers[]{MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER8};
  static constexpr Handle complexes[]{MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX32};
  switch (type_class) {
    case MPI_TYPECLASS_REAL:
      return reals;
    case MPI_TYPECLASS_INTEGER:
      return integers;
    case MPI_TYPECLASS_COMPLEX:
      return complexes;
    default:
      throw MpiError(ErrorClass::arg,
                     "typeclass is {}: pass MPI_TYPECLASS_REAL, _INTEGER or _COMPLEX", type_class);
  }
}

/// Class ARG: Fortran has no such type.
Handle type_of_size(int type_class, int size) {
  for (Handle const type : types_of(type_class))
    if (static_cast<int>(builtin::size_of(type)) == size) return type;
  throw MpiError(ErrorClass::arg, "size is {}: there is no such type of that many bytes", size);
}

}  // namespace

std::string_view builtin::name_of(Handle type) {
  if (is_lower_marker(type)) return "MPI_LB";
  if (is_upper_marker(type)) return "MPI_UB";
  auto const* const known = std::ranges::find(predefined_names, type, &Named::type);
  return known != std::end(predefined_names) ? known->name : std::string_view{};
}

}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::State;

// Arithmetic on addresses, without an error.
extern "C" MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint disp) { return base + disp; }
EARL_MPI(Aint_add)

extern "C" MPI_Aint PMPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) { return addr1 - addr2; }
EARL_MPI(Aint_diff)

extern "C" int PMPI_Type_set_name(MPI_Datatype datatype, char const* type_name) {
  return mpi::call("MPI_Type_set_name", MPI_COMM_WORLD,
                   [&](State& me) { mpi::set_name(me, datatype, type_name); });
}
EARL_MPI(Type_set_name)

extern "C" int PMPI_Type_get_name(MPI_Datatype datatype, char* type_name, int* resultlen) {
  return mpi::call("MPI_Type_get_name", MPI_COMM_WORLD, [&](State& me) {
    mpi::write_text(type_name, resultlen, mpi::type_name(me, datatype), MPI_MAX_OBJECT_NAME);
  });
}
EARL_MPI(Type_get_name)

extern "C" int PMPI_Type_match_size(int typeclass, int size, MPI_Datatype* datatype) {
  return mpi::call("MPI_Type_match_size", MPI_COMM_WORLD, [&](State&) {
    mpi::require(datatype, "datatype") = mpi::type_of_size(typeclass, size);
  });
}
EARL_MPI(Type_match_size)
