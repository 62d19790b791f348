/* Requests of programs to PVM's daemon itself: to be the one that starts hosts or tasks, which is
   refused, and to tell what it knows (pvm_tickle). */
#include "pvm_check.h"

int main()
{
  static int hosts[] = {1}, tasks[] = {2}, mailbox[] = {4}, get[] = {5}, set[] = {6, 3};
  struct pvmhostinfo* host;
  int count, answer;

  CHECK(pvm_putinfo("box", pvm_initsend(PvmDataDefault), PvmMboxDefault) == 0);
  CHECK(pvm_reg_hoster() == PvmNotImpl && pvm_reg_tasker() == PvmNotImpl);
  CHECK(pvm_reg_rm(&host) == PvmNotImpl);
  CHECK(pvm_tickle(1, hosts, &count, &answer) == 0 && count == 0);
  CHECK(pvm_tickle(1, tasks, &count, &answer) == 0 && count == 0);
  CHECK(pvm_tickle(1, mailbox, &count, &answer) == 0 && count == 0);
  CHECK(pvm_tickle(1, get, &count, &answer) == 0 && count == 1 && answer == 0);
  CHECK(pvm_tickle(2, set, &count, &answer) == 0 && count == 0);
  CHECK(pvm_tickle(1, get, &count, &answer) == 0 && count == 1 && answer == 3);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
