/* The mailbox: owners of entries, indices, waiting for an entry, and what the end of a task
   takes along. */
#include "pvm_check.h"

#include <string.h>

extern int pvm_errno;

static int box(value)
int value;
{
  int id = pvm_mkbuf(PvmDataDefault), old = pvm_setsbuf(id);

  pvm_pkint(&value, 1, 1);
  pvm_setsbuf(old);
  return id;
}

static int content(name, index, flags)
char* name;
int index, flags;
{
  int value, id = pvm_recvinfo(name, index, flags);

  if (id < 0) return id;
  CHECK(pvm_getrbuf() == id);
  CHECK(pvm_upkint(&value, 1, 1) == 0);
  pvm_freebuf(id);
  return value;
}

static int matching(pattern)
char* pattern;
{
  struct pvmmboxinfo* classes;
  int n;

  return pvm_getmboxinfo(pattern, &n, &classes) == 0 ? n : -1;
}

/* Pieces between stars, not the manual's regular expressions; in the order of their making. */
static void patterns()
{
  struct pvmmboxinfo* classes;
  int n;

  CHECK(pvm_putinfo("dog", box(1), 0) == 0 && pvm_putinfo("c[x", box(1), 0) == 0);
  CHECK(matching("*") == matching("") && matching("**") == matching((char*)0));
  CHECK(pvm_getmboxinfo("*", &n, &classes) == 0 && n > 2);
  CHECK(!strcmp(classes[n - 2].mi_name, "dog") && !strcmp(classes[n - 1].mi_name, "c[x"));
  CHECK(matching("dog") == 1 && matching("og") == 1 && matching("d*g") == 1);
  CHECK(matching("*o*") == 1 && matching("do**") == 1 && matching("[") == 1);
  CHECK(matching("g*d") == 0 && matching("d.g") == 0 && matching("^dog") == 0);
  CHECK(matching("dogs") == 0 && matching("Dog") == 0 && matching("oo*g") == 0);
  CHECK(pvm_delinfo("c[x", 0, 0) == 0 && pvm_delinfo("dog", 0, 0) == 0);
}

static void child() {
  CHECK(pvm_putinfo("mine", box(1), PvmMboxDefault) == PvmDenied);
  CHECK(pvm_putinfo("mine", box(2), PvmMboxMultiInstance) == 1);
  CHECK(pvm_putinfo("kept", box(3), PvmMboxPersistent | PvmMboxOverWritable) == 0);
  CHECK(pvm_delinfo("mine", 0, 0) == PvmDenied);
  CHECK(pvm_putinfo("ready", box(4), PvmMboxPersistent) == 0);
  pvm_exit();
}

int main(argc, argv)
int argc;
char** argv;
{
  struct pvmmboxinfo* classes;
  int n, i, kid, value, *spared;

  pvm_setopt(PvmAutoErr, 0);
  if (pvm_parent() > 0) {
    child();
    return 0;
  }
  CHECK(pvm_putinfo("", box(0), 0) == PvmBadParam);
  CHECK(pvm_putinfo("mine", 99, 0) == PvmNoSuchBuf);
  CHECK(pvm_putinfo("mine", box(10), 0) == 0);
  CHECK(pvm_putinfo("mine", box(11), 0) == 0);
  CHECK(content("mine", 0, 0) == 11);
  CHECK(content("mine", 1, 0) == PvmNotFound && pvm_errno == PvmNotFound);
  CHECK(pvm_spawn("pvm_mailbox_c", (char**)0, 0, "", 1, &kid) == 1);
  CHECK(content("ready", 0, PvmMboxWaitForInfo) == 4);
  pvm_notify(PvmTaskExit, 5, 1, &kid);
  CHECK(pvm_recv(-1, 5) > 0);
  /* The child has left: only persistent entries stay, and have no owner. */
  CHECK(content("mine", 0, PvmMboxFirstAvail) == 11);
  CHECK(content("mine", 1, PvmMboxFirstAvail) == PvmNotFound);
  CHECK(content("kept", 0, 0) == 3);
  patterns();
  CHECK(pvm_getmboxinfo("k*t", &n, &classes) == 0);
  CHECK(n == 1 && !strcmp(classes[0].mi_name, "kept") && classes[0].mi_nentries == 1);
  CHECK(classes[0].mi_indices[0] == 0 && classes[0].mi_owners[0] == 0);
  CHECK(classes[0].mi_flags[0] == (PvmMboxPersistent | PvmMboxOverWritable));
  CHECK(pvm_delinfo("ready", 0, 0) == PvmDenied);
  CHECK(content("kept", 0, PvmMboxReadAndDelete) == 3);
  CHECK(pvm_putinfo("many", box(20), PvmMboxDirectIndex(3)) == 3);
  CHECK(pvm_delinfo("many", 2, PvmMboxFirstAvail) == PvmNotFound);
  CHECK(pvm_delinfo("many", 3, 0) == 3);

  CHECK(pvm_getnoresets(&spared, &n) == 0 && n == 0);
  CHECK(pvm_setopt(PvmNoReset, 1) == 0 && pvm_setopt(PvmNoReset, 1) == 1);
  CHECK(pvm_getnoresets(&spared, &n) == 0 && n == 1 && spared[0] == pvm_mytid());
  CHECK(pvm_setopt(PvmNoReset, 0) == 1);
  CHECK(pvm_getnoresets(&spared, &n) == 0 && n == 0);

  CHECK(pvm_insert("old", -1, 100) == 0);
  CHECK(pvm_insert("old", 7, 107) == 7);
  CHECK(pvm_insert("old", 7, 108) == PvmDenied);
  CHECK(pvm_insert("old", -1, 101) == 1);
  CHECK(pvm_lookup("old", 7, &value) == 7 && value == 107);
  CHECK(pvm_lookup("old", -1, &value) == 0 && value == 100);
  for (i = 0; i < 2; i++) CHECK(pvm_delete("old", i) == i);
  CHECK(pvm_lookup("old", 0, &value) == PvmNotFound);
  pvm_exit();
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
