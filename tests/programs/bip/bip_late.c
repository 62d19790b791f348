/* A node that begins later than the others, and one that has ended, right after its last short
 * sends, before they are received. Arguments: those of the late one. */
#include <fcntl.h>
#include <unistd.h>

#include "bip_check.h"

#include "../common/runs.h"

/* Until one of the others begins. */
wait_for_the_others()
{
  while (access("begun", F_OK) != 0) usleep(1000);
}

main(argc, argv)
int argc;
char** argv;
{
  int i, value, from, last, pid = getpid();

  if (argc > 1) wait_for_the_others();
  if (argc == 1) close(open("begun", O_WRONLY | O_CREAT, 0600));
  bip_init();
  last = bip_numnodes - 1;
  if (bip_mynode == last) {
    bip_tsend(0, 4, &pid, 1);
    for (i = 0; i < 50; i++) bip_tsend(0, 3, &i, 1);
  } else if (bip_mynode == 0) {
    CHECK(bip_trecv(4, &pid, 1) == 1);
    while (runs((long)pid)) usleep(1000);
    for (i = 0; i < 50; i++)
      CHECK(bip_trecvx(3, &value, 1, &from) == 1 && value == i && from == last);
  }
  OK();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
