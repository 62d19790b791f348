#include "backends/library/native.h"

#include <mpi.h>
#include <string.h>

_Static_assert(sizeof(MPI_Request) <= sizeof(struct earl_library_request), "a handle has its place");

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
  int error = PMPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &level);
  if (error == MPI_SUCCESS) error = PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (error == MPI_SUCCESS) error = PMPI_Comm_rank(MPI_COMM_WORLD, me);
  if (error == MPI_SUCCESS) error = PMPI_Comm_size(MPI_COMM_WORLD, processes);
  return error;
}

static int leave(void) { return PMPI_Finalize(); }

static int start_send(void const* bytes, size_t size, int to, int tag,
                      struct earl_library_request* request) {
  MPI_Request started = MPI_REQUEST_NULL;
  int const error = PMPI_Isend(bytes, (int)size, MPI_BYTE, to, tag, MPI_COMM_WORLD, &started);
  store(request, started);
  return error;
}

static int start_receive(void* room, size_t size, int from, int tag,
                         struct earl_library_request* request) {
  MPI_Request started = MPI_REQUEST_NULL;
  int const source = from == earl_library_any ? MPI_ANY_SOURCE : from;
  int const error = PMPI_Irecv(room, (int)size, MPI_BYTE, source, tag, MPI_COMM_WORLD, &started);
  store(request, started);
  return error;
}

static int test(struct earl_library_request* request, size_t* size, int* error) {
  MPI_Request tested = load(request);
  MPI_Status status;
  int done = 0;
  int count = 0;
  *error = PMPI_Test(&tested, &done, size ? &status : MPI_STATUS_IGNORE);
  store(request, tested);
  if (*error == MPI_SUCCESS && done && size) *error = PMPI_Get_count(&status, MPI_BYTE, &count);
  if (*error != MPI_SUCCESS) return -1;
  if (size) *size = (size_t)count;
  return done;
}

static int cancel(struct earl_library_request* request) {
  MPI_Request cancelled = load(request);
  int error = MPI_SUCCESS;
  if (cancelled == MPI_REQUEST_NULL) return error;
  error = PMPI_Cancel(&cancelled);
  if (error == MPI_SUCCESS) error = PMPI_Wait(&cancelled, MPI_STATUS_IGNORE);
  store(request, cancelled);
  return error;
}

static char const* words(int error) {
  static char sentence[MPI_MAX_ERROR_STRING];
  int size = 0;
  if (PMPI_Error_string(error, sentence, &size) != MPI_SUCCESS) return "an unknown error";
  return sentence;
}

static void (*end_call)(void);

static void at_end(void (*call)(void)) { end_call = call; }

/* The loader ends libraries before those that they need. */
__attribute__((destructor)) static void end(void) {
  if (end_call) end_call();
}

struct earl_library_calls const earl_library = {
    earl_library_version, "MPI", enter, leave, start_send, start_receive, test, cancel, words, at_end,
};
