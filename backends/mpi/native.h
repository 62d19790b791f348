/* Native MPI as Earl's port sees it: the one symbol of a module (earl-mpich.so, earl-openmpi.so)
 * that is linked with one MPI library and calls nothing of it but PMPI_ names. Plain C, no Earl in
 * it: handles differ from library to library, and the port can be tested without MPI. */
#ifndef EARL_BACKENDS_MPI_NATIVE_H
#define EARL_BACKENDS_MPI_NATIVE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { earl_mpi_version = 1, earl_mpi_any = -1 };

/* Room for a request handle of any MPI. */
struct earl_mpi_request {
  uint64_t handle;
};

/* Results other than 0 are MPI's error codes, for words(), unless said otherwise. One thread, never
 * from a signal handler. Processes are numbers in MPI_COMM_WORLD. */
struct earl_mpi_native {
  int version;
  /* MPI_Init: waits until every process of the world calls it. Gives this one's number. */
  int (*enter)(int* me, int* processes);
  /* MPI_Finalize: waits for all others. What they were to receive, they must have received. */
  int (*leave)(void);
  /* Starts a message of at most INT_MAX bytes, which stay as they are until test() says 1. */
  int (*send)(void const* bytes, size_t size, int to, int tag, struct earl_mpi_request* request);
  /* Starts a receive; `from` may be earl_mpi_any. */
  int (*receive)(void* room, size_t size, int from, int tag, struct earl_mpi_request* request);
  /* 1: complete, the request is no more; 0: not yet; -1: failed, `error` is set. `size`, if not
   * null, gets the bytes received. Moves all messages of the process along. */
  int (*test)(struct earl_mpi_request* request, size_t* size, int* error);
  /* Takes a receive back that nothing has matched yet; waits until it is complete in any case. */
  int (*cancel)(struct earl_mpi_request* request);
  /* The library's sentence for an error; valid until the next call. */
  char const* (*words)(int error);
  /* Once, when the process ends: calls it while MPI still works. After that the libraries below MPI
   * may have ended. */
  void (*at_end)(void (*call)(void));
};

extern struct earl_mpi_native const earl_mpi;

#ifdef __cplusplus
}
#endif

#endif
