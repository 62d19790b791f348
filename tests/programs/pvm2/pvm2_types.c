/* Every type there and back, texts, extending a message by sending it twice, and the mistakes. */
#include "pvm2_check.h"

#define ME "pvm2_types_c"

int main() {
  static short s[3] = {1, -2, 32767}, s2[3];
  static int i[2] = {-5, 2147483647}, i2[2];
  static long l[2] = {-7L, 1L << 40}, l2[2];
  static float f[2] = {1.5F, -2.25F}, f2[2], c[4] = {1, 2, 3, 4}, c2[4];
  static double d[2] = {1e300, -1e-300}, d2[2], z[2] = {0.1, 0.2}, z2[2];
  static double many[1000];
  char text[20], bytes[5];
  int me = enroll(ME), length;

  CHECK(me == 0);
  /* Some of its numbers mean something else in PVM 3. */
  CHECK(PvmSysErr == -1 && PvmTooLong == -4 && PvmNoComp == -8 && PvmNoMsg == -9 && PvmAlready == -11);
  initsend();
  CHECK(putnshort(s, 3) == 0 && putnint(i, 2) == 0 && putnlong(l, 2) == 0);
  CHECK(putnfloat(f, 2) == 0 && putndfloat(d, 2) == 0);
  CHECK(putncplx(c, 2) == 0 && putndcplx(z, 1) == 0);
  CHECK(putbytes("abcde", 5) == 0 && putstring("a text") == 0 && putstring("") == 0);
  CHECK(snd(ME, me, 7) == 0);
  CHECK(putnint(i, 1) == 0);
  CHECK(snd(ME, me, 8) == 0);

  CHECK(rcv(7) == 7);
  CHECK(getnshort(s2, 3) == 0 && !memcmp(s, s2, sizeof s));
  CHECK(getnint(i2, 2) == 0 && !memcmp(i, i2, sizeof i));
  CHECK(getnlong(l2, 2) == 0 && !memcmp(l, l2, sizeof l));
  CHECK(getnfloat(f2, 2) == 0 && !memcmp(f, f2, sizeof f));
  CHECK(getndfloat(d2, 2) == 0 && !memcmp(d, d2, sizeof d));
  CHECK(getncplx(c2, 2) == 0 && !memcmp(c, c2, sizeof c));
  CHECK(getndcplx(z2, 1) == 0 && !memcmp(z, z2, sizeof z));
  CHECK(getbytes(bytes, 5) == 0 && !memcmp(bytes, "abcde", 5));
  CHECK(getstring(text) == 0 && strcmp(text, "a text") == 0);
  CHECK(getstring(text) == 0 && strcmp(text, "") == 0);
  CHECK(getnint(i2, 1) == PvmNoData);
  CHECK(rcvinfo(&length, (int*)0, (char*)0, (int*)0) == 0);
  CHECK(rcv(-1) == 8);
  CHECK(rcvinfo(&i2[0], (int*)0, (char*)0, (int*)0) == 0 && i2[0] == length + 4);

  /* The data there is given before the lack of data is detected. */
  CHECK(getndfloat(many, 1000) == PvmNoData && getbytes(bytes, 1) == PvmNoData);
  CHECK(putnint(i, -1) == PvmBadParam && putnint((int*)0, 1) == PvmBadParam);
  CHECK(getnint(i, -1) == PvmBadParam && putnint((int*)0, 0) == 0);
  CHECK(snd(ME, 0, -1) == PvmBadParam && snd(ME, -2, 1) == PvmBadParam);
  CHECK(snd(ME, 1, 1) == PvmNoComp && snd("none", -1, 1) == PvmNoComp);
  CHECK(snd("", 0, 1) == PvmBadParam && snd((char*)0, 0, 1) == PvmBadParam);
  CHECK(snd("a name that has more characters than there may be", 0, 1) == PvmTooLong);
  CHECK(rcv(-2) == PvmBadParam && probe(1) == PvmNoMsg);
  leave();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
