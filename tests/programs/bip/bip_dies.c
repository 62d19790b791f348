/* One of BIP's errors, which end the job. Argument: which. */
#include <fcntl.h>

#include "bip_check.h"

#define IS(name) (!strcmp(argv[1], name))

int terminal;

/* The library's messages go where descriptor 2 goes now: here they are read. */
read_words()
{
  char words[100];

  memset(words, 0, sizeof words);
  pread(2, words, sizeof words - 1, 0L);
  dprintf(terminal, "in the file: %s\n", words);
}

main(argc, argv)
int argc;
char **argv;
{
  static int data[200];
  int id;

  if (IS("early")) bip_send(1, data, 1);
  if (IS("tag-twice")) bip_taginit(3, 1, 1), bip_taginit(3, 1, 1);
  if (IS("tag-sized")) bip_taginit(200, 1, 1);
  if (IS("room")) bip_taginit(3, -1, 1);
  bip_init();
  if (IS("init")) bip_init();
  if (IS("late")) bip_taginit(3, 1, 1);
  if (bip_mynode == 1) {
    if (IS("self")) bip_send(1, data, 1);
    if (IS("node")) bip_send(700000, data, 1);
    if (IS("tag")) bip_tprobe(200);
    if (IS("length")) bip_send(0, data, -1);
    if (IS("null")) bip_recv((int *)0, 1);
    if (IS("too-long")) bip_recv(data, 1);
    if (IS("posted")) bip_tirecv(2, data, 1), bip_trecv(2, data, 1);
    if (IS("held")) bip_getmsg(&id, &id), bip_recv(data, 1);
    if (IS("unaligned")) bip_nrecv((int *)((char *)data + 1), 1);
    if (IS("free")) bip_freemsg();
    if (IS("id")) bip_rtest(12345);
    if (IS("send-id")) bip_stest(12345);
    if (IS("moved")) {
      terminal = dup(1);
      dup2(open("words", O_RDWR | O_CREAT, 0600), 2);
      atexit(read_words);
      bip_tsend(0, 4, data, 100);
      bip_send(1, data, 1);
    }
    if (IS("many"))
      for (id = 1; id <= 65; id++) bip_tisend(0, id, data, 100);
    if (IS("waits")) bip_swait(12345), bip_rwait(12345);
    if (IS("left")) bip_tisend(0, 3, data, 100), bip_tirecv(4, data, 1);
    if (IS("two")) bip_tisend(0, 1, data, 100), bip_tisend(0, 2, data, 100);
    if (IS("changed")) {
      id = bip_tisend(0, 3, data, 100);
      data[7]++;
      bip_swait(id);
    }
    if (IS("dropped")) {
      id = bip_tisend(0, 3, data, 100);
      close(open("begun", O_WRONLY | O_CREAT, 0600));
      bip_swait(id);
    }
  }
  if (bip_mynode == 0) {
    if (IS("too-long") || IS("held")) bip_send(1, data, 2);
    if (IS("moved")) bip_trecv(4, data, 100);
    if (IS("changed")) bip_trecv(3, data, 100);
    if (IS("dropped")) {
      while (access("begun", F_OK) != 0) usleep(1000);
      usleep(200000); /* the time under test: a faithful network drops a long message after 50 ms */
      bip_trecv(3, data, 100);
    }
    if (IS("two") || IS("many")) bip_recv(data, 1);
  }
  printf("it went on\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
