// A tool with one fault, which the macros name.
#include <earl/tool.h>

#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#ifndef VERSION
#define VERSION EARL_TOOL_VERSION
#endif
#ifndef SIZE
#define SIZE sizeof(earl_tool_table)
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
#ifndef LOADED
#define LOADED
#endif

namespace {

struct Loaded {
  Loaded() { LOADED; }
} const loaded;

void* create(earl_host const*, char const*, char const** why) {
  static_cast<void>(why);
  CREATE;
  return nullptr;
}

int event(void*, earl_event const* event, earl_answer* answer) {
  static_cast<void>(event);
  static_cast<void>(answer);
  EVENT;
  return EARL_GO_ON;
}

}  // namespace

#ifndef NO_EVENT
#define GIVEN_EVENT event
#else
#define GIVEN_EVENT (static_cast<void>(&event), nullptr)
#endif

#ifdef MISSING
extern "C" int not_there();
int const asked = not_there();
#endif

earl_tool_table const earl_tool = {VERSION, SIZE, FLAGS, create, GIVEN_EVENT, nullptr};
// SPDX-License-Identifier: BSD-3-Clause
