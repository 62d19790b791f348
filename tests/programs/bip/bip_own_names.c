/* Programs have these names for themselves; a service takes thousands of messages from any node in two
 * buffers by turns; and receives that are posted for ever are left so. */
#include "bip_check.h"

#define BIP_CHAR 1
#define BIP_BYTE 2
#define BIP_INT 3
#define BIP_ANY_SOURCE -1
#define BIP_BOTTOM 0
#define BIP_MAX_CREDITS 10
#define BIP_MAX_NEW_CREDITS 5
#define BIP_SMALL_MESSAGE 256
#define MAX_BIP_REQ 64
#define EACH 1000
int bip_rank, bip_size, bip_buffer_key;
int bip_asend() { return BIP_BYTE; }
int bip_arecv() { return BIP_INT; }
int bip_lock() { return bip_size; }
int bip_unlock() { return BIP_BOTTOM; }
int bip_trylock() { return BIP_MAX_CREDITS + BIP_MAX_NEW_CREDITS; }
int bip_sync_send() { return BIP_SMALL_MESSAGE; }
int bip_sync_recv() { return BIP_CHAR; }
int bip_recv_poll() { return bip_buffer_key; }
int bip_recv_wait() { return MAX_BIP_REQ; }
int bip_probe_recv() { return bip_rank; }
int bip_recv_post() { return BIP_ANY_SOURCE; }

main()
{
  static int service[2][BIPSMALLSIZE];
  int which = 0, id, acks, i, from, left;

  bip_init();
  if (bip_numnodes == 1) return OK(), 0;
  id = bip_tirecv(3, service[0], BIPSMALLSIZE);
  acks = bip_tirecv(1, &i, 1); /* never completed */
  if (bip_mynode != 0)
    for (i = 0; i < EACH; i++) bip_tsend(0, 3, service[1], i % 64);
  else
    for (left = EACH * (bip_numnodes - 1); left > 0; left--) {
      while (bip_rtestx(id, &from) == -1)
        ;
      which = 1 - which; /* two buffers take turns */
      id = bip_tirecv(3, service[which], BIPSMALLSIZE);
    }
  CHECK(acks >= 0);
  OK();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
