/* A token goes round in every pair of modes that may meet. */
#include "mpi1_check.h"

#define TOKEN 7

int me, n, next, before;

give(mode, token)
char *mode;
int *token;
{
  int done = MPI_CSEND(mode, token, next, TOKEN, sizeof *token);

  if (*mode == 'n') CHECK(done >= 1 && MPI_WAIT(done) == sizeof *token);
  else CHECK(done == sizeof *token);
}

take(mode, token)
char *mode;
int *token;
{
  int done = MPI_CRECV(mode, token, before, TOKEN, sizeof *token);

  if (*mode == 'n') done = MPI_WAIT(done);
  CHECK(done == sizeof *token && MPI_ERROR() == 0);
  CHECK(MPI_INFOL() == sizeof *token && MPI_INFOS() == before && MPI_INFOT() == TOKEN);
}

main()
{
  static char *modes[5][2] = {{"blocking", "blocking"},
                              {"blocking", "nonblocking"},
                              {"nonblocking", "blocking"},
                              {"nonblocking", "nonblocking"},
                              {"synchronized", "synchronized"}};
  int pair, token = 0;

  me = MPI_GETID(ALL);
  n = EVERYBODY;
  next = (me + 1) % n;
  before = (me + n - 1) % n;
  for (pair = 0; pair < (n == 1 ? 4 : 5); pair++) {
    if (me == 0) {
      give(modes[pair][0], &token);
      take(modes[pair][1], &token);
    } else {
      take(modes[pair][1], &token);
      CHECK(token == pair * n + me - 1);
      token++;
      give(modes[pair][0], &token);
    }
    if (me == 0) CHECK(++token == (pair + 1) * n);
  }
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
