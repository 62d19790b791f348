// A tool with a half in EXEC only, and one fault, which the macros name.
#include <earl/job_tool.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#ifndef VERSION
#define VERSION EARL_JOB_TOOL_VERSION
#endif
#ifndef SIZE
#define SIZE sizeof(earl_job_table)
#endif
#ifndef FLAGS
#define FLAGS 0
#endif
#ifndef CREATE
#define CREATE
#endif
#ifndef EVENT
#define EVENT
#endif
#ifndef DESTROY
#define DESTROY
#endif

namespace {

void* create(earl_job_host const*, char const*, char const** why) {
  static_cast<void>(why);
  CREATE;
  return const_cast<char*>("");
}

int event(void*, earl_job_event const* event, earl_answer* answer) {
  static_cast<void>(event);
  static_cast<void>(answer);
  EVENT;
  return EARL_GO_ON;
}

void destroy(void*) { DESTROY; }

}  // namespace

#ifdef NO_CREATE
#define GIVEN_CREATE (static_cast<void>(&create), nullptr)
#else
#define GIVEN_CREATE create
#endif

earl_job_table const earl_job_tool = {VERSION, SIZE, FLAGS, GIVEN_CREATE, event, destroy};
// SPDX-License-Identifier: BSD-3-Clause
