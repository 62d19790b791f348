// SPDX-License-Identifier: BSD-3-Clause
/// MPI-5, 20: the binary interface itself. MPI-4.1, 3.2.5: the members of a status.
#include "frontends/mpi/call.hpp"

namespace earl::mpi {

namespace {

/// A handle that a program has made has 32 bits.
int number_of_handle(Handle value) { return static_cast<int>(value); }
Handle handle_of_number(int number) {
  return static_cast<Handle>(static_cast<std::uint32_t>(number));
}

MPI_Info sizes(State& me) {
  Info info;
  info.push_back({"mpi_aint_size", std::to_string(sizeof(MPI_Aint))});
  info.push_back({"mpi_count_size", std::to_string(sizeof(MPI_Count))});
  info.push_back({"mpi_offset_size", std::to_string(sizeof(MPI_Offset))});
  return me.later().infos.open(std::move(info));
}

}  // namespace
}  // namespace earl::mpi

namespace mpi = earl::mpi;
using mpi::require;
using mpi::State;

extern "C" int PMPI_Abi_get_version(int* abi_major, int* abi_minor) {
  return mpi::call_any_time("MPI_Abi_get_version", MPI_COMM_WORLD, [&](State&) {
    require(abi_major, "abi_major") = MPI_ABI_VERSION;
    require(abi_minor, "abi_minor") = MPI_ABI_SUBVERSION;
  });
}
EARL_MPI(Abi_get_version)

extern "C" int PMPI_Abi_get_info(MPI_Info* info) {
  return mpi::call_any_time("MPI_Abi_get_info", MPI_COMM_WORLD,
                            [&](State& me) { require(info, "info") = mpi::sizes(me); });
}
EARL_MPI(Abi_get_info)

extern "C" int PMPI_Abi_get_fortran_info(MPI_Info* info) {
  return mpi::call_any_time("MPI_Abi_get_fortran_info", MPI_COMM_WORLD,
                            [&](State&) { require(info, "info") = MPI_INFO_NULL; });
}
EARL_MPI(Abi_get_fortran_info)

extern "C" int PMPI_Abi_get_fortran_booleans(int, void*, void*, int* is_set) {
  return mpi::call_any_time("MPI_Abi_get_fortran_booleans", MPI_COMM_WORLD,
                            [&](State&) { require(is_set, "is_set") = 0; });
}
EARL_MPI(Abi_get_fortran_booleans)

#define EARL_MPI_NUMBERED(name, type)                                                         \
  extern "C" int PMPI_##name##_toint(type value) { return mpi::number_of_handle(value); }     \
  EARL_MPI(name##_toint)                                                                      \
  extern "C" type PMPI_##name##_fromint(int number) { return mpi::handle_of_number(number); } \
  EARL_MPI(name##_fromint)

EARL_MPI_NUMBERED(Comm, MPI_Comm)
EARL_MPI_NUMBERED(Errhandler, MPI_Errhandler)
EARL_MPI_NUMBERED(Group, MPI_Group)
EARL_MPI_NUMBERED(Info, MPI_Info)
EARL_MPI_NUMBERED(Op, MPI_Op)
EARL_MPI_NUMBERED(Request, MPI_Request)
EARL_MPI_NUMBERED(Type, MPI_Datatype)
EARL_MPI_NUMBERED(Win, MPI_Win)

#define EARL_MPI_STATUS_MEMBER(name, member)                                              \
  extern "C" int PMPI_Status_get_##name(MPI_Status const* status, int* value) {           \
    return mpi::call_any_time("MPI_Status_get_" #name, MPI_COMM_WORLD, [&](State&) {      \
      require(value, #name) = require(status, "status").member;                           \
    });                                                                                   \
  }                                                                                       \
  EARL_MPI(Status_get_##name)                                                             \
  extern "C" int PMPI_Status_set_##name(MPI_Status* status, int value) {                  \
    return mpi::call_any_time("MPI_Status_set_" #name, MPI_COMM_WORLD,                    \
                              [&](State&) { require(status, "status").member = value; }); \
  }                                                                                       \
  EARL_MPI(Status_set_##name)

EARL_MPI_STATUS_MEMBER(source, MPI_SOURCE)
EARL_MPI_STATUS_MEMBER(tag, MPI_TAG)
EARL_MPI_STATUS_MEMBER(error, MPI_ERROR)
