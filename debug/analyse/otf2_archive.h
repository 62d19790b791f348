/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the module that is linked with libotf2 (otf2.cpp loads it): writes a run as an OTF2
   archive. */
#ifndef EARL_OTF2_ARCHIVE_H
#define EARL_OTF2_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

enum { earl_otf2_version = 2, earl_otf2_why_size = 256 };

enum EarlOtf2Kind { earl_otf2_enter, earl_otf2_leave, earl_otf2_send, earl_otf2_receive };

struct EarlOtf2Event {
  uint64_t time; /* ticks; not less than the one before */
  enum EarlOtf2Kind kind;
  uint32_t region; /* of enter and leave */
  uint32_t peer;   /* of send and receive: a rank */
  uint32_t tag;
  uint64_t length; /* bytes */
};

struct EarlOtf2Rank {
  struct EarlOtf2Event const* events;
  size_t count;
};

/* A call at one place of the program. */
struct EarlOtf2Region {
  char const* name;
  char const* file; /* "": unknown */
  uint32_t line;
};

struct EarlOtf2Run {
  uint64_t ticks_per_second;
  uint64_t length; /* ticks */
  struct EarlOtf2Region const* regions;
  size_t region_count;
  struct EarlOtf2Rank const* ranks;
  size_t rank_count;
};

struct EarlOtf2Table {
  int version;
  /* Makes `folder`/traces.otf2 and what belongs to it; `folder` must not exist. 0: it could not,
     for the reason in `why`, of earl_otf2_why_size bytes; then parts of `folder` may be left. */
  int (*write)(char const* folder, struct EarlOtf2Run const* run, char* why);
};

#endif
