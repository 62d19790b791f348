// SPDX-License-Identifier: BSD-3-Clause
/// Functions of MPI-4.1 and MPI-5 that are not here, beside those of frontends/mpi/absent.
#include "frontends/mpi/absent/absent.hpp"

namespace {

constexpr auto own_buffers =
    "buffers of communicators and sessions came with MPI-4.1, and are not here";
constexpr auto no_fortran =
    "a Fortran library sets them, and there is none for this binary interface";
constexpr auto no_handles = "handles of this kind are not here";
constexpr auto newest = "it came with MPI-4.1, and is not here";
constexpr auto large_counts = "counts of 64 bits came with MPI-4, and are not here";

}  // namespace

EARL_MPI_ABSENT(MPI_Abi_set_fortran_booleans, no_fortran)
EARL_MPI_ABSENT(MPI_Abi_set_fortran_info, no_fortran)

EARL_MPI_ABSENT(MPI_Buffer_flush, own_buffers)
EARL_MPI_ABSENT(MPI_Buffer_iflush, own_buffers)
EARL_MPI_ABSENT(MPI_Comm_attach_buffer, own_buffers)
EARL_MPI_ABSENT(MPI_Comm_attach_buffer_c, own_buffers)
EARL_MPI_ABSENT(MPI_Comm_detach_buffer, own_buffers)
EARL_MPI_ABSENT(MPI_Comm_detach_buffer_c, own_buffers)
EARL_MPI_ABSENT(MPI_Comm_flush_buffer, own_buffers)
EARL_MPI_ABSENT(MPI_Comm_iflush_buffer, own_buffers)
EARL_MPI_ABSENT(MPI_Session_attach_buffer, own_buffers)
EARL_MPI_ABSENT(MPI_Session_attach_buffer_c, own_buffers)
EARL_MPI_ABSENT(MPI_Session_detach_buffer, own_buffers)
EARL_MPI_ABSENT(MPI_Session_detach_buffer_c, own_buffers)
EARL_MPI_ABSENT(MPI_Session_flush_buffer, own_buffers)
EARL_MPI_ABSENT(MPI_Session_iflush_buffer, own_buffers)

EARL_MPI_ABSENT(MPI_File_fromint, no_handles)
EARL_MPI_ABSENT(MPI_File_toint, no_handles)
EARL_MPI_ABSENT(MPI_Message_fromint, no_handles)
EARL_MPI_ABSENT(MPI_Message_toint, no_handles)
EARL_MPI_ABSENT(MPI_Session_fromint, no_handles)
EARL_MPI_ABSENT(MPI_Session_toint, no_handles)

EARL_MPI_ABSENT(MPI_Get_hw_resource_info, newest)
EARL_MPI_ABSENT(MPI_Remove_error_class, newest)
EARL_MPI_ABSENT(MPI_Remove_error_code, newest)
EARL_MPI_ABSENT(MPI_Remove_error_string, newest)
EARL_MPI_ABSENT(MPI_Request_get_status_all, newest)
EARL_MPI_ABSENT(MPI_Request_get_status_any, newest)
EARL_MPI_ABSENT(MPI_Request_get_status_some, newest)
EARL_MPI_ABSENT(MPI_Type_get_value_index, newest)

EARL_MPI_ABSENT(MPI_Precv_init_c, large_counts)
EARL_MPI_ABSENT(MPI_Psend_init_c, large_counts)
EARL_MPI_ABSENT(MPI_Status_set_elements_c, large_counts)
