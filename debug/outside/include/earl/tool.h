/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tool of one's own: a shared library that Earl loads into the processes of a job and notifies
 * of every event there, for every API and on every back end:
 *
 *   cc -shared -fPIC -o mine.so mine.c
 *   earl run --tool ./mine.so:arguments -n 4 ./program
 *
 * The library links nothing of Earl. It defines one object, `earl_tool`:
 *
 *   struct earl_tool_table const earl_tool = {EARL_TOOL_VERSION, sizeof(struct earl_tool_table), 0,
 *                                       create, event, destroy};
 *
 * Each rank has an object of its own, made by create(). Keep nothing in global variables: on some
 * back ends all ranks live in one process, which loads the library once. All calls for one rank are
 * made on that rank's thread, one at a time; they may not call the message-passing API.
 *
 * A half in EXEC, which there is once in a job, is optional: earl/job_tool.h.
 */
#ifndef EARL_TOOL_H
#define EARL_TOOL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EARL_TOOL_VERSION 1

/* In earl_tool.flags: verdicts other than EARL_GO_ON are obeyed. Without it the tool only listens,
 * which costs less. */
#define EARL_TOOL_STEERS 1u

#define EARL_ANY (-1) /* source or tag: more than one is accepted */

#define EARL_NOTE_MOST 4096 /* bytes of a note */

/* Functions of Earl that a rank may call while one of its own functions runs. */
struct earl_host {
  uint32_t size;  /* of this structure */
  int32_t rank;   /* 0 and up */
  uint32_t ranks; /* that the job was started with */
  uint32_t reserved;
  void* earl; /* Earl's own */
  /* Nanoseconds, of the clock that the rank's waiting passes by; on virtual time, of that. */
  int64_t (*now)(struct earl_host const* host);
  /* Return addresses in the program, innermost first; says how many. Microseconds. */
  size_t (*stack)(struct earl_host const* host, void const** room, size_t most);
  /* Copies the bytes of the message that the event is about (EARL_SEND, EARL_MATCH), as far as
   * there is room; says how many. */
  size_t (*payload)(struct earl_host const* host, void* room, size_t most);
  /* Sends a note to the half in EXEC of this library (earl/job_tool.h), from create() or event().
   * It arrives there before the end of this rank is known. Returns 0, or -1 when the note is longer
   * than EARL_NOTE_MOST or the library has no such half. */
  int (*notify)(struct earl_host const* host, void const* bytes, size_t length);
};

enum earl_event_kind {
  EARL_CALL = 1,       /* of.call: the program makes an API call; the next events belong to it */
  EARL_SEND,           /* of.message: it is about to leave */
  EARL_POST,           /* of.receive: a receive is posted. Verdicts: TAKE, NO (it gets nothing) */
  EARL_MATCH,          /* of.message: the posted receive `post` has it */
  EARL_COMPLETE,       /* of.message.post: the program has the message of that receive */
  EARL_SENT,           /* of.message: the synchronous send `sequence` to `peer` is over */
  EARL_ASK,            /* of.receive: a probe, or a try to receive. Verdicts: TAKE; NO of tries */
  EARL_ANSWER,         /* of.answer: the answer it got */
  EARL_TEST,           /* of.test: requests are tested or waited for. Verdicts: YES, NO */
  EARL_TESTED,         /* of.test: which of them are complete */
  EARL_CANCEL,         /* of.cancel: a request is taken back. Verdicts: YES, NO */
  EARL_CANCELLED,      /* of.cancel: whether it was */
  EARL_LOST,           /* of.message: it is gone with its sender */
  EARL_CLOCK,          /* of.clock: a clock is read. Verdict: TAKE gives answer->value instead */
  EARL_COLLECTIVE,     /* of.collective: it begins in this rank */
  EARL_COLLECTIVE_END, /* of.collective: it is over here */
  EARL_HANDLER,        /* a handler of the program begins to run */
  EARL_HANDLER_END,    /* it has run */
  EARL_BLOCKED,        /* the rank goes to sleep */
  EARL_RESUMED,        /* it wakes up */
  EARL_END,            /* of.end: the rank ends, orderly; the last event */
  EARL_UNRELEASED      /* of.unreleased: before EARL_END, objects that are not given back */
};

/* Receives, probes and tests. */
enum earl_operation {
  EARL_RECEIVE = 1, /* posted, blocking or not */
  EARL_PROBE,       /* waits for a message */
  EARL_TRY_PROBE,   /* looks for one */
  EARL_TRY_RECEIVE, /* takes one if it is there */
  EARL_TEST_ONCE,   /* asks whether requests are complete */
  EARL_WAIT         /* waits for some of several requests */
};

struct earl_call {
  char const* name; /* "crecv"; stays valid */
  void const* site; /* where the program goes on */
};

/* A message is the `sequence`-th (from 0) that `source` sent to `dest`, in every run. */
struct earl_message {
  int32_t source, dest;
  int32_t tag;
  int32_t reserved;
  uint64_t context;
  uint64_t sequence;
  uint64_t length; /* bytes */
  uint64_t post;   /* number of the receive */
};

struct earl_receive {
  int32_t operation; /* enum earl_operation */
  int32_t certain;   /* 1: only one message can come, whatever other ranks do */
  int32_t source;    /* or EARL_ANY */
  int32_t tag;       /* or EARL_ANY */
  uint64_t context;
  uint64_t post; /* counts the receives of this rank from 0; EARL_POST only */
};

struct earl_answered {
  int32_t operation; /* enum earl_operation */
  int32_t found;     /* 1: `message` */
  int32_t certain;   /* as it was asked */
  int32_t reserved;
  struct earl_message message;
};

struct earl_test {
  int32_t operation;         /* EARL_TEST_ONCE, EARL_WAIT */
  int32_t all;               /* only "every one is complete" counts as yes */
  uint64_t requests;         /* how many are asked about */
  uint32_t const* positions; /* EARL_TESTED: which are complete, from 0 */
  uint64_t count;            /* of `positions`; 0: none */
};

struct earl_cancel {
  uint64_t request; /* names a receive by its post, a send otherwise */
  int32_t yes;      /* EARL_CANCELLED: it was taken back */
  int32_t reserved;
};

struct earl_clock {
  int64_t nanoseconds; /* the time that the program will see */
};

struct earl_collective {
  char const* kind; /* "barrier"; stays valid */
  uint64_t context;
  uint64_t number; /* of the collectives of this context, from 0: the same on all members */
  uint64_t root;   /* a position in `members`, where there is one */
  int32_t const* members;
  uint64_t count; /* of members */
  uint64_t bytes; /* contribution of this rank; 0: not known */
};

struct earl_end {
  uint64_t unreceived; /* messages that were never received */
};

struct earl_unreleased {
  char const* kind; /* "datatype"; stays valid */
  void const* site; /* where the program made them */
  uint64_t count;
};

struct earl_event {
  uint32_t size; /* of this structure as Earl has it: later versions add kinds and members */
  uint32_t kind; /* enum earl_event_kind; pass over those that are not known */
  union {
    struct earl_call call;
    struct earl_message message;
    struct earl_receive receive;
    struct earl_answered answer;
    struct earl_test test;
    struct earl_cancel cancel;
    struct earl_clock clock;
    struct earl_collective collective;
    struct earl_end end;
    struct earl_unreleased unreleased;
  } of;
};

/* The results of event(). The first tool that demands something is obeyed. */
enum earl_verdict {
  EARL_GO_ON = 0, /* as it happens */
  EARL_TAKE,      /* the message `source`, `sequence`, and no other; waits until it is there */
  EARL_NO,        /* the answer is no, and nothing is looked at */
  EARL_YES,       /* the answer is yes, and the rank waits until it can be given */
  EARL_STOP       /* the job ends with `exit_code` and says `sentence` */
};

/* With a verdict. Zero when event() is called, but `exit_code`, which is 1. */
struct earl_answer {
  uint32_t size; /* of this structure */
  int32_t exit_code;
  char const* sentence; /* valid until the next event */
  int32_t source;
  int32_t reserved;
  uint64_t sequence;
  int64_t value;
  uint32_t const* positions; /* YES of a test: must be complete; none: any. Until the next event */
  uint64_t count;
};

struct earl_tool_table {
  uint32_t version; /* EARL_TOOL_VERSION */
  uint32_t size;    /* sizeof(struct earl_tool_table) */
  uint32_t flags;
  /* Makes the rank's object, which may be null. `argument` is the text after the colon, or "".
   * To refuse, set *why to a sentence, which stays valid. `host` lives as long as the rank. */
  void* (*create)(struct earl_host const* host, char const* argument, char const** why);
  /* Gives a verdict. Must not throw. */
  int (*event)(void* object, struct earl_event const* event, struct earl_answer* answer);
  /* After EARL_END; may be null. Not called in a rank that is killed. */
  void (*destroy)(void* object);
};

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern struct earl_tool_table const earl_tool;

#ifdef __cplusplus
}
#endif

#endif
