/* One of BIP's errors, which end the job. Argument: which. */
#include <pthread.h>

#include "bip_check.h"

#define IS(name) (!strcmp(argv[1], name))

void *wait_for_ever(data)
void *data;
{
  bip_recv((int *)data, 1);
  return 0;
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
    if (IS("threads")) {
      pthread_t other;
      pthread_create(&other, (pthread_attr_t *)0, wait_for_ever, (void *)data);
      for (;;) bip_tprobe(3); /* until both are in a call */
    }
    if (IS("two")) bip_tisend(0, 1, data, 100), bip_tisend(0, 2, data, 100);
    if (IS("changed")) {
      id = bip_tisend(0, 3, data, 100);
      data[7]++;
      bip_swait(id);
    }
    if (IS("dropped")) {
      bip_tsend(0, 3, data, 100);
    }
  }
  if (bip_mynode == 0) {
    if (IS("too-long") || IS("held")) bip_send(1, data, 2);
    if (IS("changed")) bip_trecv(3, data, 100);
    if (IS("dropped")) usleep(200000), bip_trecv(3, data, 100);
    if (IS("two")) bip_recv(data, 1);
  }
  printf("it went on\n");
  return 0;
}
