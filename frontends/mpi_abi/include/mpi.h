/*
 * MPI 1.3, with the binary interface that MPI-5.0 fixed: programs that were compiled with another
 * MPI's header for it and programs compiled with this one call the same library. Besides the
 * functions of MPI-1 that the standard still has there are the later names of some of them, the
 * one-sided communication of MPI-3, and what came with the binary interface.
 *
 * Functions return MPI_SUCCESS or an error code. Each MPI_X is also there as PMPI_X (pmpi.h).
 */
#ifndef EARL_MPI_ABI_MPI_H
#define EARL_MPI_ABI_MPI_H

/* Programs take size_t from here. */
#include <stddef.h>
#include <stdint.h>

#define MPI_VERSION    1
#define MPI_SUBVERSION 3

#define MPI_ABI_VERSION    1
#define MPI_ABI_SUBVERSION 0

#ifdef __cplusplus
extern "C" {
#endif

/* --- Types */

/* Handles are pointers to what only the library knows; the library itself sees their numbers. */
#ifndef EARL_MPI_HANDLE
#define EARL_MPI_HANDLE(type) struct type *
#endif
typedef EARL_MPI_HANDLE(MPI_ABI_Comm) MPI_Comm;
typedef EARL_MPI_HANDLE(MPI_ABI_Group) MPI_Group;
typedef EARL_MPI_HANDLE(MPI_ABI_Datatype) MPI_Datatype;
typedef EARL_MPI_HANDLE(MPI_ABI_Request) MPI_Request;
typedef EARL_MPI_HANDLE(MPI_ABI_Op) MPI_Op;
typedef EARL_MPI_HANDLE(MPI_ABI_Errhandler) MPI_Errhandler;
typedef EARL_MPI_HANDLE(MPI_ABI_Info) MPI_Info;
typedef EARL_MPI_HANDLE(MPI_ABI_Win) MPI_Win;
typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset;
typedef MPI_Offset MPI_Count;

typedef struct {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int MPI_internal[5];
} MPI_Status;

typedef int MPI_Comm_copy_attr_function(MPI_Comm oldcomm, int keyval, void *extra_state,
                                        void *attr_in, void *attr_out, int *flag);
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int keyval, void *attr,
                                          void *extra_state);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;
typedef void MPI_Comm_errhandler_function(MPI_Comm *comm, int *code, ...);
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef void MPI_User_function(void *in, void *inout, int *len, MPI_Datatype *type);
typedef int MPI_Win_copy_attr_function(MPI_Win oldwin, int keyval, void *extra_state, void *attr_in,
                                       void *attr_out, int *flag);
typedef int MPI_Win_delete_attr_function(MPI_Win win, int keyval, void *attr, void *extra_state);
typedef void MPI_Win_errhandler_function(MPI_Win *win, int *code, ...);
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;

/* --- Constants */

#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG    (-2)
#define MPI_PROC_NULL  (-3)
#define MPI_ROOT       (-4)
#define MPI_UNDEFINED  (-32766)

#define MPI_BOTTOM          ((void *)0)
#define MPI_IN_PLACE        ((void *)1)
#define MPI_STATUS_IGNORE   ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)

#define MPI_BSEND_OVERHEAD             512
#define MPI_MAX_PROCESSOR_NAME         256
#define MPI_MAX_ERROR_STRING           512
#define MPI_MAX_OBJECT_NAME            128
#define MPI_MAX_LIBRARY_VERSION_STRING 8192
#define MPI_MAX_INFO_KEY               256
#define MPI_MAX_INFO_VAL               1024

/* Results of comparisons. */
#define MPI_IDENT     201
#define MPI_CONGRUENT 202
#define MPI_SIMILAR   203
#define MPI_UNEQUAL   204

/* Topologies. */
#define MPI_CART  211
#define MPI_GRAPH 212

/* Threads. */
#define MPI_THREAD_SINGLE     0
#define MPI_THREAD_FUNNELED   1024
#define MPI_THREAD_SERIALIZED 2048
#define MPI_THREAD_MULTIPLE   4096

#define MPI_COMM_TYPE_SHARED 221
#define MPI_ORDER_C          12
#define MPI_ORDER_FORTRAN    15

/* How MPI_Type_create_darray distributes a dimension. */
#define MPI_DISTRIBUTE_NONE      16
#define MPI_DISTRIBUTE_BLOCK     17
#define MPI_DISTRIBUTE_CYCLIC    18
#define MPI_DISTRIBUTE_DFLT_DARG 19

#define MPI_TYPECLASS_INTEGER 192
#define MPI_TYPECLASS_REAL    193
#define MPI_TYPECLASS_COMPLEX 194

/* Windows. */
#define MPI_WIN_BASE          601
#define MPI_WIN_DISP_UNIT     602
#define MPI_WIN_SIZE          603
#define MPI_WIN_CREATE_FLAVOR 604
#define MPI_WIN_MODEL         605
#define MPI_WIN_FLAVOR_CREATE   311
#define MPI_WIN_FLAVOR_ALLOCATE 312
#define MPI_WIN_FLAVOR_DYNAMIC  313
#define MPI_WIN_FLAVOR_SHARED   314
#define MPI_WIN_UNIFIED  321
#define MPI_WIN_SEPARATE 322
#define MPI_LOCK_EXCLUSIVE 301
#define MPI_LOCK_SHARED    302
#define MPI_MODE_NOCHECK   1024
#define MPI_MODE_NOPRECEDE 2048
#define MPI_MODE_NOPUT     4096
#define MPI_MODE_NOSTORE   8192
#define MPI_MODE_NOSUCCEED 16384

/* Attributes. */
#define MPI_KEYVAL_INVALID  0
#define MPI_TAG_UB          501
#define MPI_IO              502
#define MPI_HOST            503
#define MPI_WTIME_IS_GLOBAL 504
#define MPI_UNIVERSE_SIZE   505
#define MPI_APPNUM          506
#define MPI_LASTUSEDCODE    507

#define MPI_NULL_COPY_FN        ((MPI_Copy_function *)0)
#define MPI_DUP_FN              ((MPI_Copy_function *)1)
#define MPI_NULL_DELETE_FN      ((MPI_Delete_function *)0)
#define MPI_COMM_NULL_COPY_FN   ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_DUP_FN         ((MPI_Comm_copy_attr_function *)1)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
#define MPI_WIN_NULL_COPY_FN    ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_DUP_FN          ((MPI_Win_copy_attr_function *)1)
#define MPI_WIN_NULL_DELETE_FN  ((MPI_Win_delete_attr_function *)0)

/* Predefined handles have 10 bits, of which the first ones say the kind. */
#define MPI_OP_NULL ((MPI_Op)0x020)
#define MPI_SUM     ((MPI_Op)0x021)
#define MPI_MIN     ((MPI_Op)0x022)
#define MPI_MAX     ((MPI_Op)0x023)
#define MPI_PROD    ((MPI_Op)0x024)
#define MPI_BAND    ((MPI_Op)0x028)
#define MPI_BOR     ((MPI_Op)0x029)
#define MPI_BXOR    ((MPI_Op)0x02a)
#define MPI_LAND    ((MPI_Op)0x030)
#define MPI_LOR     ((MPI_Op)0x031)
#define MPI_LXOR    ((MPI_Op)0x032)
#define MPI_MINLOC  ((MPI_Op)0x038)
#define MPI_MAXLOC  ((MPI_Op)0x039)
#define MPI_REPLACE ((MPI_Op)0x03c)
#define MPI_NO_OP   ((MPI_Op)0x03d)

#define MPI_COMM_NULL  ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_COMM_SELF  ((MPI_Comm)0x102)

#define MPI_GROUP_NULL  ((MPI_Group)0x108)
#define MPI_GROUP_EMPTY ((MPI_Group)0x109)

#define MPI_WIN_NULL ((MPI_Win)0x110)

#define MPI_INFO_NULL ((MPI_Info)0x130)
#define MPI_INFO_ENV  ((MPI_Info)0x131)

#define MPI_ERRHANDLER_NULL  ((MPI_Errhandler)0x140)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)0x141)
#define MPI_ERRORS_RETURN    ((MPI_Errhandler)0x142)
#define MPI_ERRORS_ABORT     ((MPI_Errhandler)0x143)

#define MPI_REQUEST_NULL ((MPI_Request)0x180)

/* Datatypes whose sizes are the compiler's: addresses, C, C++, Fortran, pairs of a value and an index. */
#define MPI_DATATYPE_NULL         ((MPI_Datatype)0x200)
#define MPI_AINT                  ((MPI_Datatype)0x201)
#define MPI_COUNT                 ((MPI_Datatype)0x202)
#define MPI_OFFSET                ((MPI_Datatype)0x203)
#define MPI_PACKED                ((MPI_Datatype)0x207)
#define MPI_SHORT                 ((MPI_Datatype)0x208)
#define MPI_INT                   ((MPI_Datatype)0x209)
#define MPI_LONG                  ((MPI_Datatype)0x20a)
#define MPI_LONG_LONG             ((MPI_Datatype)0x20b)
#define MPI_LONG_LONG_INT         MPI_LONG_LONG
#define MPI_UNSIGNED_SHORT        ((MPI_Datatype)0x20c)
#define MPI_UNSIGNED              ((MPI_Datatype)0x20d)
#define MPI_UNSIGNED_LONG         ((MPI_Datatype)0x20e)
#define MPI_UNSIGNED_LONG_LONG    ((MPI_Datatype)0x20f)
#define MPI_FLOAT                 ((MPI_Datatype)0x210)
#define MPI_C_FLOAT_COMPLEX       ((MPI_Datatype)0x212)
#define MPI_C_COMPLEX             MPI_C_FLOAT_COMPLEX
#define MPI_CXX_FLOAT_COMPLEX     ((MPI_Datatype)0x213)
#define MPI_DOUBLE                ((MPI_Datatype)0x214)
#define MPI_C_DOUBLE_COMPLEX      ((MPI_Datatype)0x216)
#define MPI_CXX_DOUBLE_COMPLEX    ((MPI_Datatype)0x217)
#define MPI_LOGICAL               ((MPI_Datatype)0x218)
#define MPI_INTEGER               ((MPI_Datatype)0x219)
#define MPI_REAL                  ((MPI_Datatype)0x21a)
#define MPI_COMPLEX               ((MPI_Datatype)0x21b)
#define MPI_DOUBLE_PRECISION      ((MPI_Datatype)0x21c)
#define MPI_DOUBLE_COMPLEX        ((MPI_Datatype)0x21d)
#define MPI_CHARACTER             ((MPI_Datatype)0x21e)
#define MPI_LONG_DOUBLE           ((MPI_Datatype)0x220)
#define MPI_C_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x224)
#define MPI_CXX_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x225)
#define MPI_FLOAT_INT             ((MPI_Datatype)0x228)
#define MPI_DOUBLE_INT            ((MPI_Datatype)0x229)
#define MPI_LONG_INT              ((MPI_Datatype)0x22a)
#define MPI_2INT                  ((MPI_Datatype)0x22b)
#define MPI_SHORT_INT             ((MPI_Datatype)0x22c)
#define MPI_LONG_DOUBLE_INT       ((MPI_Datatype)0x22d)
#define MPI_2REAL                 ((MPI_Datatype)0x230)
#define MPI_2DOUBLE_PRECISION     ((MPI_Datatype)0x231)
#define MPI_2INTEGER              ((MPI_Datatype)0x232)
#define MPI_C_BOOL                ((MPI_Datatype)0x238)
#define MPI_CXX_BOOL              ((MPI_Datatype)0x239)
#define MPI_WCHAR                 ((MPI_Datatype)0x23c)
/* Datatypes of a fixed size: bits 3 to 5 are its logarithm. */
#define MPI_INT8_T        ((MPI_Datatype)0x240)
#define MPI_UINT8_T       ((MPI_Datatype)0x241)
#define MPI_CHAR          ((MPI_Datatype)0x243)
#define MPI_SIGNED_CHAR   ((MPI_Datatype)0x244)
#define MPI_UNSIGNED_CHAR ((MPI_Datatype)0x245)
#define MPI_BYTE          ((MPI_Datatype)0x247)
#define MPI_INT16_T       ((MPI_Datatype)0x248)
#define MPI_UINT16_T      ((MPI_Datatype)0x249)
#define MPI_INT32_T       ((MPI_Datatype)0x250)
#define MPI_UINT32_T      ((MPI_Datatype)0x251)
#define MPI_INT64_T       ((MPI_Datatype)0x258)
#define MPI_UINT64_T      ((MPI_Datatype)0x259)
#define MPI_INTEGER1      ((MPI_Datatype)0x2c1)
#define MPI_INTEGER2      ((MPI_Datatype)0x2c9)
#define MPI_INTEGER4      ((MPI_Datatype)0x2d1)
#define MPI_REAL4         ((MPI_Datatype)0x2d2)
#define MPI_INTEGER8      ((MPI_Datatype)0x2d9)
#define MPI_REAL8         ((MPI_Datatype)0x2da)
#define MPI_COMPLEX8      ((MPI_Datatype)0x2db)
#define MPI_REAL16        ((MPI_Datatype)0x2e2)
#define MPI_COMPLEX16     ((MPI_Datatype)0x2e3)
#define MPI_COMPLEX32     ((MPI_Datatype)0x2eb)

/* Error classes. */
#define MPI_SUCCESS          0
#define MPI_ERR_BUFFER       1
#define MPI_ERR_COUNT        2
#define MPI_ERR_TYPE         3
#define MPI_ERR_TAG          4
#define MPI_ERR_COMM         5
#define MPI_ERR_RANK         6
#define MPI_ERR_REQUEST      7
#define MPI_ERR_ROOT         8
#define MPI_ERR_GROUP        9
#define MPI_ERR_OP           10
#define MPI_ERR_TOPOLOGY     11
#define MPI_ERR_DIMS         12
#define MPI_ERR_ARG          13
#define MPI_ERR_UNKNOWN      14
#define MPI_ERR_TRUNCATE     15
#define MPI_ERR_OTHER        16
#define MPI_ERR_INTERN       17
#define MPI_ERR_PENDING      18
#define MPI_ERR_IN_STATUS    19
#define MPI_ERR_ASSERT       22
#define MPI_ERR_BASE         24
#define MPI_ERR_DISP         26
#define MPI_ERR_INFO_KEY     31
#define MPI_ERR_INFO_NOKEY   32
#define MPI_ERR_INFO_VALUE   33
#define MPI_ERR_INFO         34
#define MPI_ERR_KEYVAL       36
#define MPI_ERR_LOCKTYPE     37
#define MPI_ERR_RMA_ATTACH   46
#define MPI_ERR_RMA_CONFLICT 47
#define MPI_ERR_RMA_RANGE    48
#define MPI_ERR_RMA_SHARED   49
#define MPI_ERR_RMA_SYNC     50
#define MPI_ERR_SIZE         51
#define MPI_ERR_WIN          56
#define MPI_ERR_RMA_FLAVOR   57
#define MPI_ERR_LASTCODE     0x3fff

/* --- The binary interface itself */

int MPI_Abi_get_version(int *abi_major, int *abi_minor);
/* The sizes of its types, as an info object of the program's. */
int MPI_Abi_get_info(MPI_Info *info);
/* Fortran's sizes and truth values: not known to this library. */
int MPI_Abi_get_fortran_info(MPI_Info *info);
int MPI_Abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false,
                                 int *is_set);

/* Handles as numbers, and back. */
int MPI_Comm_toint(MPI_Comm comm);
MPI_Comm MPI_Comm_fromint(int comm);
int MPI_Errhandler_toint(MPI_Errhandler errhandler);
MPI_Errhandler MPI_Errhandler_fromint(int errhandler);
int MPI_Group_toint(MPI_Group group);
MPI_Group MPI_Group_fromint(int group);
int MPI_Info_toint(MPI_Info info);
MPI_Info MPI_Info_fromint(int info);
int MPI_Op_toint(MPI_Op op);
MPI_Op MPI_Op_fromint(int op);
int MPI_Request_toint(MPI_Request request);
MPI_Request MPI_Request_fromint(int request);
int MPI_Type_toint(MPI_Datatype datatype);
MPI_Datatype MPI_Type_fromint(int datatype);
int MPI_Win_toint(MPI_Win win);
MPI_Win MPI_Win_fromint(int win);

/* The members of a status, for languages that cannot reach them. */
int MPI_Status_get_source(const MPI_Status *status, int *source);
int MPI_Status_get_tag(const MPI_Status *status, int *tag);
int MPI_Status_get_error(const MPI_Status *status, int *err);
int MPI_Status_set_source(MPI_Status *status, int source);
int MPI_Status_set_tag(MPI_Status *status, int tag);
int MPI_Status_set_error(MPI_Status *status, int err);

extern __typeof__(MPI_Abi_get_version) PMPI_Abi_get_version;
extern __typeof__(MPI_Abi_get_info) PMPI_Abi_get_info;
extern __typeof__(MPI_Abi_get_fortran_info) PMPI_Abi_get_fortran_info;
extern __typeof__(MPI_Abi_get_fortran_booleans) PMPI_Abi_get_fortran_booleans;
extern __typeof__(MPI_Comm_toint) PMPI_Comm_toint;
extern __typeof__(MPI_Comm_fromint) PMPI_Comm_fromint;
extern __typeof__(MPI_Errhandler_toint) PMPI_Errhandler_toint;
extern __typeof__(MPI_Errhandler_fromint) PMPI_Errhandler_fromint;
extern __typeof__(MPI_Group_toint) PMPI_Group_toint;
extern __typeof__(MPI_Group_fromint) PMPI_Group_fromint;
extern __typeof__(MPI_Info_toint) PMPI_Info_toint;
extern __typeof__(MPI_Info_fromint) PMPI_Info_fromint;
extern __typeof__(MPI_Op_toint) PMPI_Op_toint;
extern __typeof__(MPI_Op_fromint) PMPI_Op_fromint;
extern __typeof__(MPI_Request_toint) PMPI_Request_toint;
extern __typeof__(MPI_Request_fromint) PMPI_Request_fromint;
extern __typeof__(MPI_Type_toint) PMPI_Type_toint;
extern __typeof__(MPI_Type_fromint) PMPI_Type_fromint;
extern __typeof__(MPI_Win_toint) PMPI_Win_toint;
extern __typeof__(MPI_Win_fromint) PMPI_Win_fromint;
extern __typeof__(MPI_Status_get_source) PMPI_Status_get_source;
extern __typeof__(MPI_Status_get_tag) PMPI_Status_get_tag;
extern __typeof__(MPI_Status_get_error) PMPI_Status_get_error;
extern __typeof__(MPI_Status_set_source) PMPI_Status_set_source;
extern __typeof__(MPI_Status_set_tag) PMPI_Status_set_tag;
extern __typeof__(MPI_Status_set_error) PMPI_Status_set_error;

#ifdef __cplusplus
}
#endif

#include "mpi_functions.h"

#endif
