/* Programs have these names for themselves; and receives that are posted for ever are left so. */
#include "bip_check.h"

#define BIP_CHAR 1
#define BIP_ANY_SOURCE -1
#define MAX_BIP_REQ 64
int bip_lock, bip_rank, bip_size;
int bip_asend() { return bip_lock; }
int bip_probe_recv() { return bip_rank; }
int bip_recv_post() { return bip_size; }

main()
{
  static int service[2][BIPSMALLSIZE];
  int which = 0, id, acks, i, from, left;

  bip_init();
  if (bip_numnodes == 1) return OK(), 0;
  id = bip_tirecv(3, service[0], BIPSMALLSIZE);
  acks = bip_tirecv(1, &i, 1); /* never completed */
  if (bip_mynode != 0)
    for (i = 0; i < 100; i++) bip_tsend(0, 3, service[1], i % 64);
  else
    for (left = 100 * (bip_numnodes - 1); left > 0; left--) {
      while (bip_rtestx(id, &from) == -1)
        ;
      which = 1 - which; /* two buffers take turns */
      id = bip_tirecv(3, service[which], BIPSMALLSIZE);
    }
  CHECK(acks >= 0);
  OK();
  return 0;
}
