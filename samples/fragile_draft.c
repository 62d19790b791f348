/*
 * fragile_draft.c: as fragile_nx.c, in the words of the MPI1 draft: the process that is ready last gets
 * more to do, and its answer is waited for as if that were process 2. usage: fragile_draft last
 */
#include <mpi1.h>

#define PART 1
#define STOP 2
#define REST 3
#define CHAT 9

static int me, word;

static void put(int process, int type) { MPI_CSEND(MPI_BLOCKING, &word, process, type, sizeof word); }

static int get(int process, int type)
{
  MPI_CRECV(MPI_BLOCKING, &word, process, type, sizeof word);
  return MPI_INFOS();
}

/* Makes process 2 late. */
static void chat(void)
{
  int i;

  for (i = 0; i < 20; i++)
    if (me == 2) {
      put(3, CHAT);
      get(3, CHAT);
    } else {
      get(2, CHAT);
      put(2, CHAT);
    }
}

int main(int argc, char **argv)
{
  me = MPI_GETID(ALL);
  if (me == 0) {
    put(get(-1, PART), STOP);
    put(get(-1, PART), REST);
    get(2, REST); /* last waits here */
    return 0;
  }
  if (me > 1) chat();
  if (me > 2) return 0;
  put(0, PART);
  get(0, -1);
  if (MPI_INFOT() == REST) put(0, REST);
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
