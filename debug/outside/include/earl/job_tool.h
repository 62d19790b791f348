/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The half in EXEC of a tool of one's own (earl/tool.h): one object for the whole job, which is
 * notified of what EXEC serves and of what happens to the processes, on all hosts. The library
 * defines, beside `earl_tool` or alone:
 *
 *   struct earl_job_table const earl_job_tool = {EARL_JOB_TOOL_VERSION,
 *                                                sizeof(struct earl_job_table), 0,
 *                                                create, event, destroy};
 *
 * Its functions run in a process of their own, which lives beside EXEC from before the first rank
 * starts until after the last has ended, on one thread, one at a time. They share no memory with a
 * rank's half, which sends them notes instead (earl_host.notify). EXEC waits for each of them: a
 * function that has not returned after 10 seconds ends the job.
 */
#ifndef EARL_JOB_TOOL_H
#define EARL_JOB_TOOL_H

#include "tool.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EARL_JOB_TOOL_VERSION 1

/* Facts about the job. */
struct earl_job_host {
  uint32_t size;  /* of this structure */
  uint32_t ranks; /* that the job is started with */
  char const* back_end;
  char const* const* command; /* as the user typed it, without options of Earl; ends with null */
};

/* Those with a question have verdicts and come with EARL_TOOL_STEERS only; NO means that it must
 * wait. It is asked again after any other event. */
enum earl_job_event_kind {
  EARL_JOB_REQUEST = 1, /* of.request: may EXEC serve it? Verdict: NO */
  EARL_JOB_SERVED,      /* of.request: it is served */
  EARL_JOB_DEATH,       /* of.death: may EXEC announce it? Verdict: NO */
  EARL_JOB_DIED,        /* of.death: a process has ended, and others may know from now on */
  EARL_JOB_OUTPUT,      /* of.output: may the process that asked for it get it? Verdict: NO */
  EARL_JOB_PRINTED,     /* of.output: it gets it now */
  EARL_JOB_RANK,        /* of.rank: a process gets this rank, and is started */
  EARL_JOB_NOTE,        /* of.note: a rank's half of this library has sent it */
  EARL_JOB_FAILURE,     /* of.failure: may the job end because of it? Verdict: NO, while other
                           processes are left */
  EARL_JOB_FAILED,      /* of.failure: the job ends because of it; a process that reports why */
  EARL_JOB_STANDSTILL,  /* of.standstill: no process can continue, and the job ends */
  EARL_JOB_OVER         /* of.over: the last event. Verdict: TAKE, answer->exit_code is the job's */
};

struct earl_job_request {
  int32_t rank;
  uint32_t operation; /* a number of Earl's */
  char const* name;   /* "spawn"; stays valid */
};

struct earl_job_death {
  int32_t rank;
  int32_t wait_status; /* as of waitpid(2) */
};

struct earl_job_output {
  int32_t rank;    /* that printed it */
  uint32_t stream; /* 0: standard output, 1: standard error */
  uint64_t bytes;  /* 0: it has printed all, on both */
  int32_t last;    /* 1: nothing more comes on that stream */
  int32_t reserved;
};

struct earl_job_rank {
  int32_t rank;
};

struct earl_job_note {
  void const* bytes; /* until event() returns */
  uint64_t length;
  int32_t rank; /* that sent it */
  int32_t reserved;
};

struct earl_job_failure {
  char const* why; /* EARL_JOB_FAILED, until event() returns; or null */
  int32_t rank;
  int32_t reserved;
};

struct earl_job_standstill {
  char const* sentence; /* that the user gets; until event() returns */
  int32_t exit_code;
  int32_t reserved;
};

struct earl_job_over {
  int32_t exit_code;
};

struct earl_job_event {
  uint32_t size; /* of this structure as Earl has it: later versions add kinds and members */
  uint32_t kind; /* enum earl_job_event_kind; pass over those that are not known */
  union {
    struct earl_job_request request;
    struct earl_job_death death;
    struct earl_job_output output;
    struct earl_job_rank rank;
    struct earl_job_note note;
    struct earl_job_failure failure;
    struct earl_job_standstill standstill;
    struct earl_job_over over;
  } of;
};

struct earl_job_table {
  uint32_t version; /* EARL_JOB_TOOL_VERSION */
  uint32_t size;    /* sizeof(struct earl_job_table) */
  uint32_t flags;   /* EARL_TOOL_STEERS, or 0 */
  /* Makes the object, which may be null. `argument` is the text after the colon, or "". To refuse,
   * set *why to a sentence. `host` lives as long as the object. */
  void* (*create)(struct earl_job_host const* host, char const* argument, char const** why);
  /* Gives a verdict: EARL_GO_ON, EARL_STOP (the job ends with answer->exit_code and says
   * answer->sentence, and no event comes any more), or one that the kind has. Must not throw. */
  int (*event)(void* object, struct earl_job_event const* event, struct earl_answer* answer);
  /* At the end; may be null. */
  void (*destroy)(void* object);
};

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern struct earl_job_table const earl_job_tool;

#ifdef __cplusplus
}
#endif

#endif
