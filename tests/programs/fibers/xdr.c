/* XDR through libtirpc, whose libraries have thread-local variables and name calls that start threads. */
#include <nx.h>
#include <rpc/rpc.h>
#include <rpc/xdr.h>
#include <string.h>

#include "../common/check.h"

int main(void) {
  char wire[100];
  double number = mynode() + 0.25, got = 0;
  int count = (int)mynode() * 1000, got_count = 0, me = mynode();
  XDR out, in;
  rpc_createerr.cf_stat = (enum clnt_stat)(RPC_CANTSEND + me);
  xdrmem_create(&out, wire, sizeof wire, XDR_ENCODE);
  CHECK(xdr_double(&out, &number) && xdr_int(&out, &count));
  csend(1, wire, sizeof wire, (me + 1) % numnodes(), 0);
  crecv(1, wire, sizeof wire);
  xdrmem_create(&in, wire, sizeof wire, XDR_DECODE);
  CHECK(xdr_double(&in, &got) && xdr_int(&in, &got_count));
  me = (mynode() + numnodes() - 1) % numnodes();
  CHECK(got == me + 0.25 && got_count == me * 1000);
  CHECK(rpc_createerr.cf_stat == (enum clnt_stat)(RPC_CANTSEND + mynode()));
  puts("EARL-OK");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
