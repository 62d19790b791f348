/* Errors of a host. */
#include <cube.h>

#include "../nx/nx_check.h"

main()
{
  long x = 0, node, pid, code, lengths[2];
  struct cubetable table[4];

  FAILS(_getcube("c", "0", "", 0L), EQNOCUBE);
  FAILS(_getcube("c", "3", "", 0L), EQNOCUBE);
  FAILS(_getcube("c", "many", "", 0L), EQNOCUBE);
  FAILS(_getcube("c", "1234567890123456", "", 0L), EQTYPENAMELEN);
  FAILS(_getcube("a name too long for it", "2", "", 0L), EQCUBENAMELEN);
  FAILS(_getcube("c", "32768", "", 0L), EQCUBETABFULL);
  FAILS(_attachcube("no such cube"), EQCUBENOTEXIST);
  CHECK(_getcube("c", "2m4", "", 0L) == 0 && numnodes() == 2);
  FAILS(_getcube("c", "2", "", 0L), EQCUBEEXISTS);
  FAILS(_csend(1L, &x, 8L, 0L, 0L), EQNOSET);
  FAILS(_crecv(1L, &x, 8L), EQNOSET);
  FAILS(_setpid(-3L), EQPID);
  CHECK(_setpid(4L) == 0 && mypid() == 4);
  FAILS(_setpid(5L), EQSET);
  FAILS(_csend(1L, &x, 8L, 2L + 70000, 0L), EQNODE);
  FAILS(_load("farm_node", 2L, 0L), EQNODE);
  FAILS(_load("farm_node", 0L, -1L), EQPID);
  FAILS(_load("no_such_node", 0L, 0L), EQBADFIL);
  FAILS(_load("/bin/cat", 0L, 0L), EQBADFIL);
  FAILS(_load((char *)0, 0L, 0L), EQPFIL);
  CHECK(_load("wait_node", 0L, 0L) == 0);
  FAILS(_load("wait_node", -1L, 0L), EQUSEPID);
  FAILS(_waitone(0L, 0L, (long *)0, &pid, &code), EQPCNODE);
  FAILS(_waitone(0L, 0L, &node, (long *)0, &code), EQPCPID);
  FAILS(_waitone(0L, 0L, &node, &pid, (long *)0), EQPCCODE);
  FAILS(_waitone(7L, 0L, &node, &pid, &code), EQNODE);
  FAILS(_gsync(), EQPRIV);
  lengths[0] = 8, lengths[1] = 0;
  FAILS(_gcolx(&x, lengths, &x), EQPRIV);
  FAILS(_cubeinfo(table, 4L, 3L), EQBADGLOBAL);
  CHECK(cubeinfo(table, 4L, 0L) == 1 && table[0].size == 2 && table[0].attached == 1);
  CHECK(table[0].cubename[0] == 'c' && table[0].cubename[1] == 0);
  for (pid = 1, errno = 0; _csend(1L, &x, 0L, -1L, pid) == 0;) pid++;
  CHECK(errno == EQNOPROC && pid > 1); /* a place is kept for each that is not loaded yet */
  CHECK(_relcube("c") == 0);
  FAILS(_load("wait_node", 0L, 0L), EQCUBENOTATTCH);
  FAILS(_numnodes(), EQCUBENOTATTCH);
  FAILS(_nodedim(), EQCUBENOTATTCH);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
