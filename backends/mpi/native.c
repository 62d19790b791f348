/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/hosted/native.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(MPI_Request) <= sizeof(struct earl_library_request),
               "a handle has its place");

/* The functions of MPI that this module calls. The first name is MPI's own; a tool or front end may
   define the others. */
struct native {
  __typeof__(PMPI_Init_thread)* init_thread;
  __typeof__(PMPI_Comm_set_errhandler)* set_errhandler;
  __typeof__(PMPI_Comm_rank)* comm_rank;
  __typeof__(PMPI_Comm_size)* comm_size;
  __typeof__(PMPI_Finalize)* finalize;
  __typeof__(PMPI_Isend)* isend;
  __typeof__(PMPI_Irecv)* irecv;
  __typeof__(PMPI_Test)* test;
  __typeof__(PMPI_Get_count)* get_count;
  __typeof__(PMPI_Cancel)* cancel;
  __typeof__(PMPI_Wait)* wait;
  __typeof__(PMPI_Error_string)* error_string;
};

#ifdef EARL_MPI_FILE

/* A front end for MPI may have the library's name (libmpich.so.12), so that it would stand in for
 * one that this module needed. A file named with its folder is that file. */
static struct native native;
static char failure[512];
enum { not_loaded = -1 };

static void find(void* library, char const* name, void* function, size_t size) {
  void* const found = dlsym(library, name);
  if (!found && !*failure) snprintf(failure, sizeof failure, EARL_MPI_FILE " has no %s", name);
  memcpy(function, &found, size);
}

#define FIND(library, field, name) find(library, name, &native.field, sizeof native.field)

static int load_library(void) {
  void* const library = dlopen(EARL_MPI_FILE, RTLD_NOW | RTLD_LOCAL | EARL_MPI_DEEPBIND);
  if (!library) {
    snprintf(failure, sizeof failure, "MPI cannot be loaded: %s", dlerror());
    return not_loaded;
  }
  FIND(library, init_thread, "PMPI_Init_thread");
  FIND(library, set_errhandler, "PMPI_Comm_set_errhandler");
  FIND(library, comm_rank, "PMPI_Comm_rank");
  FIND(library, comm_size, "PMPI_Comm_size");
  FIND(library, finalize, "PMPI_Finalize");
  FIND(library, isend, "PMPI_Isend");
  FIND(library, irecv, "PMPI_Irecv");
  FIND(library, test, "PMPI_Test");
  FIND(library, get_count, "PMPI_Get_count");
  FIND(library, cancel, "PMPI_Cancel");
  FIND(library, wait, "PMPI_Wait");
  FIND(library, error_string, "PMPI_Error_string");
#if EARL_MPI_DEEPBIND == 0
  if (!*failure && dlsym(RTLD_DEFAULT, "PMPI_Isend") &&
      dlsym(RTLD_DEFAULT, "PMPI_Isend") != dlsym(library, "PMPI_Isend"))
    snprintf(failure, sizeof failure,
             "MPICH cannot run below a program for MPI in a sanitized build: use --on shm");
#endif
  return *failure ? not_loaded : MPI_SUCCESS;
}

#else

static struct native const native = {
    PMPI_Init_thread, PMPI_Comm_set_errhandler,
    PMPI_Comm_rank,   PMPI_Comm_size,
    PMPI_Finalize,    PMPI_Isend,
    PMPI_Irecv,       PMPI_Test,
    PMPI_Get_count,   PMPI_Cancel,
    PMPI_Wait,        PMPI_Error_string,
};
static char const failure[] = "";

static int load_library(void) { return MPI_SUCCESS; }

#endif

static MPI_Request load(struct earl_library_request const* from) {
  MPI_Request request;
  memcpy(&request, from, sizeof request);
  return request;
}

static void store(struct earl_library_request* to, MPI_Request request) {
  memcpy(to, &request, sizeof request);
}

static int enter(int* me, int* processes) {
  int level = 0;
  int error = load_library();
  if (error == MPI_SUCCESS) error = native.init_thread(NULL, NULL, MPI_THREAD_SINGLE, &level);
  if (error == MPI_SUCCESS) error = native.set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (error == MPI_SUCCESS) error = native.comm_rank(MPI_COMM_WORLD, me);
  if (error == MPI_SUCCESS) error = native.comm_size(MPI_COMM_WORLD, processes);
  return error;
}

static int leave(void) { return native.finalize(); }

static int start_send(void const* bytes, size_t size, int to, int tag,
                      struct earl_library_request* request) {
  MPI_Request started = MPI_REQUEST_NULL;
  int const error = native.isend(bytes, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD, &started);
  store(request, started);
  return error;
}

static int start_receive(void* room, size_t size, int from, int tag,
                         struct earl_library_request* request) {
  MPI_Request started = MPI_REQUEST_NULL;
  int const source = from == earl_library_any ? MPI_ANY_SOURCE : from;
  int const error = native.irecv(room, (int)size, MPI_BYTE, source, tag, MPI_COMM_WORLD, &started);
  store(request, started);
  return error;
}

static int test(struct earl_library_request* request, size_t* size, int* error) {
  MPI_Request tested = load(request);
  MPI_Status status;
  int done = 0;
  int count = 0;
  *error = native.test(&tested, &done, size ? &status : MPI_STATUS_IGNORE);
  store(request, tested);
  if (*error == MPI_SUCCESS && done && size) *error = native.get_count(&status, MPI_BYTE, &count);
  if (*error != MPI_SUCCESS) return -1;
  if (size) *size = (size_t)count;
  return done;
}

static int cancel(struct earl_library_request* request) {
  MPI_Request cancelled = load(request);
  int error = MPI_SUCCESS;
  if (cancelled == MPI_REQUEST_NULL) return error;
  error = native.cancel(&cancelled);
  if (error == MPI_SUCCESS) error = native.wait(&cancelled, MPI_STATUS_IGNORE);
  store(request, cancelled);
  return error;
}

static char const* error_text(int error) {
  static char sentence[MPI_MAX_ERROR_STRING];
  int size = 0;
  if (*failure) return failure;
  if (native.error_string(error, sentence, &size) != MPI_SUCCESS) return "an unknown error";
  return sentence;
}

static void (*end_call)(void);

static void at_end(void (*call)(void)) { end_call = call; }

/* The loader ends libraries before those that they need. */
__attribute__((destructor)) static void end(void) {
  if (end_call) end_call();
}

struct earl_library_calls const earl_library = {
    earl_library_version, "MPI", enter,  leave,      start_send,
    start_receive,        test,  cancel, error_text, at_end,
};
