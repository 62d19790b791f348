/* Threads of one process in BIP's calls at the same time: two that send and poll their own sends,
   one that sends beside three that receive, each on its own tag, and one that waits for ever. */
#include <pthread.h>
#include <sched.h>

#include "bip_check.h"

#define ROUNDS 200
#define LONG 300

static int ids[2];

/* To node 1 a long message on `tag`, polled until it is complete; node 1 takes them the other way round. */
static void *send_one(tag)
void *tag;
{
  static int data[2][LONG];
  int which = (int)(long)tag - 1;

  data[which][0] = which;
  ids[which] = bip_tisend(1, which + 1, data[which], LONG);
  while (!bip_stest(ids[which])) sched_yield();
  return 0;
}

/* Words of node 0 on a tag: each one more than the last. */
static void *receive_all(tag)
void *tag;
{
  int round, got[LONG], node, length = (long)tag == 12 ? LONG : 1;

  for (round = 0; round < ROUNDS; round++) {
    CHECK(bip_trecvx((int)(long)tag, got, LONG, &node) == length);
    CHECK(got[0] == round && node == 1 - bip_mynode);
  }
  return 0;
}

static void *send_all(nothing)
void *nothing;
{
  int round, tag;
  static int data[LONG];

  for (round = 0; round < ROUNDS; round++)
    for (tag = 10; tag <= 12; tag++) {
      data[0] = round;
      bip_tsend(1 - bip_mynode, tag, data, tag == 12 ? LONG : 1);
    }
  return nothing;
}

static void *wait_for_ever(nothing)
void *nothing;
{
  static int data;

  bip_trecv(99, &data, 1);
  exit(1);
  return nothing;
}

int main()
{
  pthread_t threads[5];
  static int data[LONG];
  long i;

  bip_init();
  pthread_create(&threads[4], (pthread_attr_t *)0, wait_for_ever, (void *)0);
  if (bip_mynode == 0) {
    for (i = 0; i < 2; i++) pthread_create(&threads[i], (pthread_attr_t *)0, send_one, (void *)(i + 1));
    for (i = 0; i < 2; i++) pthread_join(threads[i], (void **)0);
    CHECK(ids[0] != ids[1]);
  } else {
    /* Neither send can be complete before the other is under way. */
    for (i = 2; i > 0; i--) {
      CHECK(bip_trecv((int)i, data, LONG) == LONG);
      CHECK(data[0] == i - 1);
    }
  }
  for (i = 0; i < 3; i++) pthread_create(&threads[i], (pthread_attr_t *)0, receive_all, (void *)(10 + i));
  pthread_create(&threads[3], (pthread_attr_t *)0, send_all, (void *)0);
  for (i = 0; i < 4; i++) pthread_join(threads[i], (void **)0);
  printf("EARL-OK\n");
  return 0;
}
/* SPDX-License-Identifier: BSD-3-Clause */
