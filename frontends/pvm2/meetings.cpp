// SPDX-License-Identifier: BSD-3-Clause
// Waiting for each other.
#include "frontends/pvm2/routines.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm2 {

namespace {

bool is_name(char const* name) { return name && *name; }

}  // namespace

int wait_at_barrier(State& state, char const* name, int count) {
  if (!is_name(name) || count < 1) return PvmBadParam;
  state.need_exec();
  return code_of(state.me.exec().named_barrier({.name = name, .count = count}).fault);
}

int announce(State& state, char const* event) {
  if (!is_name(event)) return PvmBadParam;
  state.need_exec();
  state.me.exec().post_event(event);
  return PvmOk;
}

int wait_until(State& state, char const* event) {
  if (!is_name(event)) return PvmBadParam;
  state.need_exec();
  state.me.exec().wait_event(event);
  return PvmOk;
}

}  // namespace earl::pvm2
