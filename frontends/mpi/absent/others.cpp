// SPDX-License-Identifier: BSD-3-Clause
/// Other functions that came after MPI-1.
#include "frontends/mpi/absent/absent.hpp"

namespace {

constexpr auto processes = "processes that start later came with MPI-2, and are not here";
constexpr auto info = "info objects came with MPI-2, and are not here";
constexpr auto generalized = "generalized requests came with MPI-2, and are not here";
constexpr auto matched = "matched probes came with MPI-3, and are not here";
constexpr auto partitioned = "partitioned communication came with MPI-4, and is not here";
constexpr auto sessions = "sessions came with MPI-4, and are not here";
constexpr auto later = "it came after MPI-1, and is not here";
constexpr auto extension = "it is an extension of MPICH's, and is not here";

}  // namespace

EARL_MPI_ABSENT(MPI_Close_port, processes)
EARL_MPI_ABSENT(MPI_Comm_accept, processes)
EARL_MPI_ABSENT(MPI_Comm_connect, processes)
EARL_MPI_ABSENT(MPI_Comm_disconnect, processes)
EARL_MPI_ABSENT(MPI_Comm_join, processes)
EARL_MPI_ABSENT(MPI_Comm_spawn, processes)
EARL_MPI_ABSENT(MPI_Comm_spawn_multiple, processes)
EARL_MPI_ABSENT(MPI_Lookup_name, processes)
EARL_MPI_ABSENT(MPI_Open_port, processes)
EARL_MPI_ABSENT(MPI_Publish_name, processes)
EARL_MPI_ABSENT(MPI_Unpublish_name, processes)

EARL_MPI_ABSENT(MPI_Comm_dup_with_info, info)
EARL_MPI_ABSENT(MPI_Comm_get_info, info)
EARL_MPI_ABSENT(MPI_Comm_idup_with_info, info)
EARL_MPI_ABSENT(MPI_Comm_set_info, info)
EARL_MPI_ABSENT(MPI_Info_create_env, info)
EARL_MPI_ABSENT(MPI_Info_get_string, info)

EARL_MPI_ABSENT(MPI_Grequest_complete, generalized)
EARL_MPI_ABSENT(MPI_Grequest_start, generalized)
EARL_MPI_ABSENT(MPI_Status_set_cancelled, generalized)
EARL_MPI_ABSENT(MPI_Status_set_elements, generalized)
EARL_MPI_ABSENT(MPI_Status_set_elements_x, generalized)

EARL_MPI_ABSENT(MPI_Improbe, matched)
EARL_MPI_ABSENT(MPI_Imrecv, matched)
EARL_MPI_ABSENT(MPI_Mprobe, matched)
EARL_MPI_ABSENT(MPI_Mrecv, matched)

EARL_MPI_ABSENT(MPI_Parrived, partitioned)
EARL_MPI_ABSENT(MPI_Pready, partitioned)
EARL_MPI_ABSENT(MPI_Pready_list, partitioned)
EARL_MPI_ABSENT(MPI_Pready_range, partitioned)
EARL_MPI_ABSENT(MPI_Precv_init, partitioned)
EARL_MPI_ABSENT(MPI_Psend_init, partitioned)

EARL_MPI_ABSENT(MPI_Comm_create_from_group, sessions)
EARL_MPI_ABSENT(MPI_Group_from_session_pset, sessions)
EARL_MPI_ABSENT(MPI_Intercomm_create_from_groups, sessions)
EARL_MPI_ABSENT(MPI_Session_call_errhandler, sessions)
EARL_MPI_ABSENT(MPI_Session_create_errhandler, sessions)
EARL_MPI_ABSENT(MPI_Session_finalize, sessions)
EARL_MPI_ABSENT(MPI_Session_get_errhandler, sessions)
EARL_MPI_ABSENT(MPI_Session_get_info, sessions)
EARL_MPI_ABSENT(MPI_Session_get_nth_pset, sessions)
EARL_MPI_ABSENT(MPI_Session_get_num_psets, sessions)
EARL_MPI_ABSENT(MPI_Session_get_pset_info, sessions)
EARL_MPI_ABSENT(MPI_Session_init, sessions)
EARL_MPI_ABSENT(MPI_Session_set_errhandler, sessions)

EARL_MPI_ABSENT(MPI_Add_error_class, later)
EARL_MPI_ABSENT(MPI_Add_error_code, later)
EARL_MPI_ABSENT(MPI_Add_error_string, later)
EARL_MPI_ABSENT(MPI_Get_elements_x, later)
EARL_MPI_ABSENT(MPI_Isendrecv, later)
EARL_MPI_ABSENT(MPI_Isendrecv_replace, later)
EARL_MPI_ABSENT(MPI_Op_commutative, later)
EARL_MPI_ABSENT(MPI_Pack_external, later)
EARL_MPI_ABSENT(MPI_Pack_external_size, later)
EARL_MPI_ABSENT(MPI_Request_get_status, later)
EARL_MPI_ABSENT(MPI_Status_c2f, later)
EARL_MPI_ABSENT(MPI_Status_f2c, later)
EARL_MPI_ABSENT(MPI_Type_create_f90_complex, later)
EARL_MPI_ABSENT(MPI_Type_create_f90_integer, later)
EARL_MPI_ABSENT(MPI_Type_create_f90_real, later)
EARL_MPI_ABSENT(MPI_Type_create_hindexed_block, later)
EARL_MPI_ABSENT(MPI_Type_create_keyval, later)
EARL_MPI_ABSENT(MPI_Type_delete_attr, later)
EARL_MPI_ABSENT(MPI_Type_free_keyval, later)
EARL_MPI_ABSENT(MPI_Type_get_attr, later)
EARL_MPI_ABSENT(MPI_Type_get_contents, later)
EARL_MPI_ABSENT(MPI_Type_get_envelope, later)
EARL_MPI_ABSENT(MPI_Type_get_extent_x, later)
EARL_MPI_ABSENT(MPI_Type_get_true_extent_x, later)
EARL_MPI_ABSENT(MPI_Type_set_attr, later)
EARL_MPI_ABSENT(MPI_Type_size_x, later)
EARL_MPI_ABSENT(MPI_Unpack_external, later)

EARL_MPI_ABSENT(MPIX_Comm_agree, extension)
EARL_MPI_ABSENT(MPIX_Comm_failure_ack, extension)
EARL_MPI_ABSENT(MPIX_Comm_failure_get_acked, extension)
EARL_MPI_ABSENT(MPIX_Comm_revoke, extension)
EARL_MPI_ABSENT(MPIX_Comm_shrink, extension)
EARL_MPI_ABSENT(MPIX_Delete_error_class, extension)
EARL_MPI_ABSENT(MPIX_Delete_error_code, extension)
EARL_MPI_ABSENT(MPIX_Delete_error_string, extension)
EARL_MPI_ABSENT(MPIX_GPU_query_support, extension)
EARL_MPI_ABSENT(MPIX_Grequest_class_allocate, extension)
EARL_MPI_ABSENT(MPIX_Grequest_class_create, extension)
EARL_MPI_ABSENT(MPIX_Grequest_start, extension)
EARL_MPI_ABSENT(MPIX_Query_cuda_support, extension)
EARL_MPI_ABSENT(MPIX_Query_hip_support, extension)
EARL_MPI_ABSENT(MPIX_Query_ze_support, extension)
