/*
 * busiest.c: a tool that prints one table for the whole job, the busiest rank first. Each rank's
 * half counts, and at its end sends the counts to the half in EXEC.
 *   earl run --tool ./busiest.so -n 4 ./program
 */
#include <earl/job_tool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counts {
  unsigned long rank, sent, received, bytes;
};
struct half { /* of a rank */
  struct earl_host const *host;
  struct counts counts;
};
struct table { /* of EXEC */
  struct counts *rows;
  size_t count;
};

static void *create(struct earl_host const *host, char const *argument, char const **why) {
  struct half *me = calloc(1, sizeof *me);
  (void)argument;
  if (!me) return *why = "there is no memory", me;
  me->host = host;
  me->counts.rank = (unsigned long)host->rank;
  return me;
}
static int event(void *object, struct earl_event const *event, struct earl_answer *answer) {
  struct half *me = object;
  (void)answer;
  if (event->kind == EARL_SEND) me->counts.sent++;
  if (event->kind == EARL_MATCH) me->counts.received++;
  if (event->kind == EARL_SEND || event->kind == EARL_MATCH)
    me->counts.bytes += event->of.message.length;
  if (event->kind == EARL_END) me->host->notify(me->host, &me->counts, sizeof me->counts);
  return EARL_GO_ON;
}
struct earl_tool_table const earl_tool = {EARL_TOOL_VERSION, sizeof(struct earl_tool_table), 0,
                                          create, event, free};

static void *job_create(struct earl_job_host const *host, char const *argument, char const **why) {
  struct table *me = calloc(1, sizeof *me);
  (void)argument;
  if (me) me->rows = calloc(host->ranks, sizeof *me->rows);
  if (!me || !me->rows) *why = "there is no memory";
  else me->count = host->ranks;
  return me;
}
static int busier(void const *one, void const *other) {
  struct counts const *a = one, *b = other;
  if (a->bytes != b->bytes) return a->bytes < b->bytes ? 1 : -1;
  return (a->rank > b->rank) - (a->rank < b->rank);
}
static int job_event(void *object, struct earl_job_event const *event, struct earl_answer *answer) {
  struct table *me = object;
  size_t i;
  (void)answer;
  if (event->kind == EARL_JOB_NOTE && (size_t)event->of.note.rank < me->count)
    memcpy(&me->rows[event->of.note.rank], event->of.note.bytes, sizeof *me->rows);
  if (event->kind != EARL_JOB_OVER) return EARL_GO_ON;
  qsort(me->rows, me->count, sizeof *me->rows, busier);
  for (i = 0; i < me->count; i++)
    fprintf(stderr, "rank %lu: %lu sent, %lu received, %lu bytes\n", me->rows[i].rank,
            me->rows[i].sent, me->rows[i].received, me->rows[i].bytes);
  return EARL_GO_ON;
}
struct earl_job_table const earl_job_tool = {EARL_JOB_TOOL_VERSION, sizeof(struct earl_job_table),
                                             0, job_create, job_event, free};
/* SPDX-License-Identifier: BSD-3-Clause */
