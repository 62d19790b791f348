/*
 * wrong_mpi.c: MPI programs with one fault each; comments name the lines that a report must name.
 * usage: wrong_mpi exchange|waits|altered|freed|right|refused|absent|slow
 */
#include <mpi.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int me, size, word;

/* Relies on room for short messages, which MPI does not promise. */
static void exchange(void)
{
  MPI_Send(&word, 1, MPI_INT, (me + 1) % size, 1, MPI_COMM_WORLD); /* ring send */
  MPI_Recv(&word, 1, MPI_INT, (me + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The same, where the wait is another call. */
static void waits(void)
{
  MPI_Request request;
  MPI_Isend(&word, 1, MPI_INT, (me + 1) % size, 1, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE); /* ring wait */
  MPI_Recv(&word, 1, MPI_INT, (me + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The buffers of nonblocking sends: one is altered, one is given back. */
static void altered(int gives_back)
{
  enum { page = 4096 };
  MPI_Request request;
  char *memory = mmap(0, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int i;
  memset(memory, 1, page);
  if (me == 0) {
    for (i = 0; i < 3; i++) {
      MPI_Isend(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request); /* altered send */
      word++;
      MPI_Wait(&request, MPI_STATUS_IGNORE); /* late wait */
    }
    MPI_Isend(memory, 100, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &request); /* lost send */
    if (gives_back) munmap(memory, page);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (me == 1) {
    for (i = 0; i < 3; i++) MPI_Recv(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(memory, 100, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/* None of these is wrong. */
static void right(void)
{
  int in, out = me, next = (me + 1) % size, before = (me + size - 1) % size, i, done = 0;
  MPI_Request requests[2];
  MPI_Isend(&out, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in, 1, MPI_INT, before, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  /* Any of them may be complete first. */
  MPI_Isend(&out, 1, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Waitany(1, requests, &i, MPI_STATUS_IGNORE);
  MPI_Recv(&in, 1, MPI_INT, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Isend(&out, 1, MPI_INT, next, 3, MPI_COMM_WORLD, &requests[0]);
  while (!done) MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
  MPI_Recv(&in, 1, MPI_INT, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&out, 1, MPI_INT, next, 4, &in, 1, MPI_INT, before, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(&out, 1, MPI_INT, next, 5, before, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  /* The answer says that the first message has come. */
  if (me == 0) {
    MPI_Isend(&out, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &requests[0]);
    MPI_Request_free(&requests[0]);
    MPI_Recv(&out, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (me == 1) {
    MPI_Recv(&in, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    in++;
    MPI_Send(&in, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
  }
}

static void refused(void)
{
  if (me == 0) {
    MPI_Send(&word, -1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* negative count */
  }
}

/* The root waits for none. */
static void absent(void)
{
  if (me != 2) MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD); /* broadcast without 2 */
}

/* Right, but for its time: longer than other runs of `earl explore` may take. */
static void slow(void)
{
  int i;

  if (me == 0) {
    sleep(11);
    for (i = 1; i < size; i++)
      MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv)
{
  char const *name = argc > 1 ? argv[1] : "";

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(name, "exchange") == 0) exchange();
  if (strcmp(name, "waits") == 0) waits();
  if (strcmp(name, "altered") == 0) altered(0);
  if (strcmp(name, "freed") == 0) altered(1);
  if (strcmp(name, "right") == 0) right();
  if (strcmp(name, "refused") == 0) refused();
  if (strcmp(name, "absent") == 0) absent();
  if (strcmp(name, "slow") == 0) slow();
  MPI_Finalize();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
