/*
 * order.c: a tool that records which messages receives, probes and tests got where timing decides,
 * and makes another run get the same: a small version of Earl's own recorder, without handlers,
 * clocks and cancels.
 *   earl run --tool ./order.so:record=DIR -n 4 ./program
 *   earl run --tool ./order.so:replay=DIR -n 4 ./program
 * DIR/RANK has a line for each outcome:
 *   r POST SOURCE SEQUENCE   the receive POST got that message
 *   a SOURCE SEQUENCE        a probe or a try found it
 *   t COUNT POSITION...      a test or wait found these requests complete; COUNT 0: none
 *   n                        a probe or a try found nothing
 */
#include <earl/tool.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct received {
  unsigned long post, sequence;
  int source;
};

struct order {
  FILE *file; /* that is written; of a replay: the answers, in their order */
  int replays;
  struct received *received; /* of a replay, or receives that are posted and open */
  size_t count, room;
  uint32_t *positions;
  size_t most;
  char sentence[200];
};

static struct received *add(struct order *me) {
  if (me->count == me->room) {
    me->room = me->room ? 2 * me->room : 64;
    me->received = realloc(me->received, me->room * sizeof *me->received);
    if (!me->received) abort();
  }
  return &me->received[me->count++];
}

static struct received *find(struct order *me, unsigned long post) {
  size_t i;
  for (i = 0; i < me->count; i++)
    if (me->received[i].post == post) return &me->received[i];
  return NULL;
}

/* Receives are matched in another order than they are posted in: all are read before. */
static void read_receives(struct order *me) {
  char line[4096];
  while (fgets(line, sizeof line, me->file)) {
    struct received one;
    if (sscanf(line, "r %lu %d %lu", &one.post, &one.source, &one.sequence) == 3) *add(me) = one;
  }
  rewind(me->file);
}

static void *create(struct earl_host const *host, char const *argument, char const **why) {
  struct order *me = calloc(1, sizeof *me);
  char path[4096];
  int const records = strncmp(argument, "record=", 7) == 0;
  if (!me) abort();
  me->replays = strncmp(argument, "replay=", 7) == 0;
  if ((!records && !me->replays) || strlen(argument) > sizeof path - 20) {
    *why = "it wants record=DIR or replay=DIR";
    return me;
  }
  if (records && mkdir(argument + 7, 0777) != 0 && errno != EEXIST) *why = strerror(errno);
  sprintf(path, "%s/%d", argument + 7, host->rank);
  me->file = fopen(path, records ? "w" : "r");
  if (!me->file)
    *why = records ? "the directory cannot be written" : "there is no record of this rank";
  else if (me->replays)
    read_receives(me);
  return me;
}

static void destroy(void *object) {
  struct order *me = object;
  if (me->file) fclose(me->file);
  free(me->received);
  free(me->positions);
  free(me);
}

static int differs(struct order *me, struct earl_answer *answer, char const *what) {
  sprintf(me->sentence, "the recorded run has no %s here", what);
  answer->sentence = me->sentence;
  answer->exit_code = 87;
  return EARL_STOP;
}

/* The next answer; its kind. 0: there is none. */
static int next(struct order *me, char *line, int size) {
  while (fgets(line, size, me->file))
    if (line[0] != 'r') return line[0];
  return 0;
}

static int replay_test(struct order *me, struct earl_answer *answer, char *line) {
  char *at = line + 1;
  size_t i;
  answer->count = strtoul(at, &at, 10);
  if (answer->count == 0) return EARL_NO;
  if (answer->count > me->most) {
    me->most = answer->count;
    me->positions = realloc(me->positions, me->most * sizeof *me->positions);
    if (!me->positions) abort();
  }
  for (i = 0; i < answer->count; i++) me->positions[i] = (uint32_t)strtoul(at, &at, 10);
  answer->positions = me->positions;
  return EARL_YES;
}

static int replay(struct order *me, struct earl_event const *event, struct earl_answer *answer) {
  char line[4096];
  struct received const *then;
  if (event->kind == EARL_POST && !event->of.receive.certain) {
    then = find(me, (unsigned long)event->of.receive.post);
    if (!then) return EARL_NO;
    answer->source = then->source;
    answer->sequence = then->sequence;
    return EARL_TAKE;
  }
  if (event->kind == EARL_ASK &&
      !(event->of.receive.certain && event->of.receive.operation == EARL_PROBE)) {
    unsigned long sequence = 0;
    int const kind = next(me, line, sizeof line);
    if (kind == 'n' && event->of.receive.operation != EARL_PROBE) return EARL_NO;
    if (kind != 'a' || sscanf(line, "a %d %lu", &answer->source, &sequence) != 2)
      return differs(me, answer, "such question");
    answer->sequence = sequence;
    return EARL_TAKE;
  }
  if (event->kind == EARL_TEST) {
    if (next(me, line, sizeof line) != 't') return differs(me, answer, "such test");
    return replay_test(me, answer, line);
  }
  return EARL_GO_ON;
}

static void record(struct order *me, struct earl_event const *event) {
  struct earl_message const *message = &event->of.message;
  size_t i;
  if (event->kind == EARL_POST && !event->of.receive.certain)
    add(me)->post = (unsigned long)event->of.receive.post;
  if (event->kind == EARL_MATCH) {
    struct received *posted = find(me, (unsigned long)message->post);
    if (!posted) return;
    *posted = me->received[--me->count];
    fprintf(me->file, "r %lu %d %lu\n", (unsigned long)message->post, message->source,
            (unsigned long)message->sequence);
  }
  if (event->kind == EARL_ANSWER &&
      !(event->of.answer.certain && event->of.answer.operation == EARL_PROBE)) {
    message = &event->of.answer.message;
    if (!event->of.answer.found) fprintf(me->file, "n\n");
    else fprintf(me->file, "a %d %lu\n", message->source, (unsigned long)message->sequence);
  }
  if (event->kind == EARL_TESTED) {
    fprintf(me->file, "t %lu", (unsigned long)event->of.test.count);
    for (i = 0; i < event->of.test.count; i++)
      fprintf(me->file, " %lu", (unsigned long)event->of.test.positions[i]);
    fprintf(me->file, "\n");
  }
}

static int event(void *object, struct earl_event const *event, struct earl_answer *answer) {
  struct order *me = object;
  if (me->replays) return replay(me, event, answer);
  record(me, event);
  return EARL_GO_ON;
}

struct earl_tool_table const earl_tool = {EARL_TOOL_VERSION, sizeof(struct earl_tool_table),
                                          EARL_TOOL_STEERS,  create, event, destroy};
/* SPDX-License-Identifier: BSD-3-Clause */
