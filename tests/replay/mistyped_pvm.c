/* Messages that are unpacked as other types than they are packed as; comments name the lines that a report must name.
 */
#include <pvm3.h>
#include <stdio.h>

static void send(int to)
{
  int words[4] = {1, 2, 3, 4};
  short halves[2] = {1, 2};
  float parts[2] = {1, 2};
  pvm_initsend(PvmDataDefault);
  pvm_pkint(words, 4, 1);
  pvm_pkstr("text");
  pvm_pkshort(halves, 2, 1);
  pvm_pkfloat(parts, 2, 1);
  pvm_send(to, 1);
  pvm_initsend(PvmDataDefault);
  pvm_pkint(words, 1, 1);
  pvm_send(to, 2); /* sent word */
  pvm_initsend(PvmDataRaw);
  pvm_pkint(words, 1, 1);
  pvm_pkdouble((double *)words, 1, 1);
  pvm_send(to, 3); /* sent mixture */
}

static void receive(void)
{
  int words[4];
  unsigned other;
  char text[8];
  short halves[2];
  float parts[2];
  double real;
  pvm_recv(-1, 1);
  pvm_upkint(words, 1, 1);
  pvm_upkuint(&other, 1, 1);
  pvm_upkint(words, 2, 1);
  pvm_upkstr(text);
  pvm_upkshort(halves, 2, 1);
  pvm_upkcplx(parts, 1, 1);
  pvm_recv(-1, 2); /* received word */
  pvm_upkfloat(parts, 1, 1);
  pvm_recv(-1, 3); /* received mixture */
  pvm_upkint(words, 1, 1);
  pvm_upklong((long *)&real, 1, 1);
}

int main(int argc, char **argv)
{
  int *tids, me = pvm_mytid();
  pvm_siblings(&tids);
  if (me == tids[0])
    send(tids[1]);
  else
    receive();
  pvm_exit();
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
