/* A node that begins later than the others, and one that ends right after its last short sends, long
 * before they are received. Arguments: those of the late one. */
#include "bip_check.h"

main(argc, argv)
int argc;
char **argv;
{
  int i, value, from, last;

  if (argc > 1) usleep(500000);
  bip_init();
  last = bip_numnodes - 1;
  if (bip_mynode == last) {
    for (i = 0; i < 50; i++) bip_tsend(0, 3, &i, 1);
  } else if (bip_mynode == 0) {
    usleep(300000);
    for (i = 0; i < 50; i++) CHECK(bip_trecvx(3, &value, 1, &from) == 1 && value == i && from == last);
  }
  OK();
  return 0;
}
