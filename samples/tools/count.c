/*
 * count.c: a tool that counts each rank's messages.
 *   earl run --tool ./count.so -n 4 ./program
 */
#include <earl/tool.h>
#include <stdio.h>
#include <stdlib.h>

struct counts {
  int rank;
  unsigned long sent, sent_bytes, received, received_bytes;
};

static void *create(struct earl_host const *host, char const *argument, char const **why) {
  struct counts *me = calloc(1, sizeof *me);
  (void)argument;
  if (!me) *why = "there is no memory";
  else me->rank = host->rank;
  return me;
}

static int event(void *object, struct earl_event const *event, struct earl_answer *answer) {
  struct counts *me = object;
  (void)answer;
  if (event->kind == EARL_SEND) {
    me->sent++;
    me->sent_bytes += event->of.message.length;
  } else if (event->kind == EARL_MATCH) {
    me->received++;
    me->received_bytes += event->of.message.length;
  } else if (event->kind == EARL_END)
    fprintf(stderr, "rank %d: %lu sent (%lu bytes), %lu received (%lu bytes)\n", me->rank, me->sent,
            me->sent_bytes, me->received, me->received_bytes);
  return EARL_GO_ON;
}

struct earl_tool_table const earl_tool = {EARL_TOOL_VERSION, sizeof(struct earl_tool_table), 0,
                                          create, event, free};
/* SPDX-License-Identifier: BSD-3-Clause */
