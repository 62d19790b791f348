/* A tool whose half in EXEC prints all its events, and does at some what its argument demands. */
#include <earl/job_tool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A half of a rank. */
static void *create(struct earl_host const *host, char const *argument, char const **why) {
  static char const most[EARL_NOTE_MOST + 1];
  (void)argument;
  if (host->size < sizeof *host) *why = "it is another Earl's";
  if (host->notify(host, "begins", 7) != 0) *why = "its note is not taken";
  if (host->notify(host, most, sizeof most) != -1) *why = "a long note is taken";
  return (void *)host;
}

static int event(void *object, struct earl_event const *event, struct earl_answer *answer) {
  struct earl_host const *host = object;
  (void)answer;
  if (event->kind == EARL_END) host->notify(host, "ends", 5);
  return EARL_GO_ON;
}

#ifndef IN_EXEC_ONLY
struct earl_tool_table const earl_tool = {EARL_TOOL_VERSION, sizeof(struct earl_tool_table), 0,
                                          create, event, NULL};
#endif

/* The half in EXEC. */
struct job {
  char const *argument;
  int next; /* rank whose join is served next */
  int notes;
};

static void *job_create(struct earl_job_host const *host, char const *argument, char const **why) {
  struct job *me = calloc(1, sizeof *me);
  if (host->size != sizeof *host || !host->command[0]) *why = "it is another Earl's";
  fprintf(stderr, "job of %d on %s\n", (int)host->ranks, host->back_end);
  me->argument = argument;
  me->next = (int)host->ranks - 1;
  return me;
}

static int is(struct job const *me, char const *argument) { return strcmp(me->argument, argument) == 0; }

static int job_event(void *object, struct earl_job_event const *event, struct earl_answer *answer) {
  struct job *me = object;
  switch (event->kind) {
    case EARL_JOB_REQUEST:
      if (is(me, "never")) return EARL_NO;
      if (strcmp(event->of.request.name, "group_join") != 0) break;
      if (is(me, "downwards") && event->of.request.rank != me->next) return EARL_NO;
      if (is(me, "after notes") && me->notes != 4) return EARL_NO;
      break;
    case EARL_JOB_SERVED:
      fprintf(stderr, "served %s of %d\n", event->of.request.name, (int)event->of.request.rank);
      if (strcmp(event->of.request.name, "group_join") == 0) me->next--;
      break;
    case EARL_JOB_DIED:
      fprintf(stderr, "died %d %d\n", (int)event->of.death.rank, (int)event->of.death.wait_status);
      break;
    case EARL_JOB_RANK:
      fprintf(stderr, "rank %d\n", (int)event->of.rank.rank);
      break;
    case EARL_JOB_NOTE:
      fprintf(stderr, "note of %d %s\n", (int)event->of.note.rank, (char const *)event->of.note.bytes);
      if (event->of.note.length == 7) me->notes++;
      break;
    case EARL_JOB_FAILURE:
      fprintf(stderr, "failure of %d\n", (int)event->of.failure.rank);
      return is(me, "later") ? EARL_NO : EARL_GO_ON;
    case EARL_JOB_FAILED:
      fprintf(stderr, "failed %d %s\n", (int)event->of.failure.rank, event->of.failure.why);
      break;
    case EARL_JOB_STANDSTILL:
      fprintf(stderr, "standstill %d %.8s\n", (int)event->of.standstill.exit_code,
              event->of.standstill.sentence);
      break;
    case EARL_JOB_OVER:
      fprintf(stderr, "over %d\n", (int)event->of.over.exit_code);
      answer->exit_code = 77;
      answer->sentence = "not this time";
      if (is(me, "take")) return EARL_TAKE;
      if (is(me, "stop")) return EARL_STOP;
      break;
    default:
      break;
  }
  return EARL_GO_ON;
}

static void job_destroy(void *object) {
  fprintf(stderr, "destroyed\n");
  free(object);
}

struct earl_job_table const earl_job_tool = {EARL_JOB_TOOL_VERSION, sizeof(struct earl_job_table),
                                             EARL_TOOL_STEERS, job_create, job_event, job_destroy};
/* SPDX-License-Identifier: BSD-3-Clause */
