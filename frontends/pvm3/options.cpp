// SPDX-License-Identifier: BSD-3-Clause
// Setting and getting options.
#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/machine.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm {

namespace {

constexpr int smallest_fragment = 52;  // as the native library has it
constexpr int largest_fragment = 1'048'576;

bool is_option(int what) { return what >= PvmRoute && what <= PvmNoReset; }
bool is_poll_option(int what) { return what == PvmPollType || what == PvmPollTime; }

/// None, the task itself, or where its own goes.
bool destination(State& state, int tid, int own) {
  return tid == 0 || tid == state.tid() || tid == state.options[static_cast<std::size_t>(own)];
}

/// Whether the native library takes that value.
int check(State& state, int what, int value) {
  switch (what) {
    case PvmRoute:
      return value >= PvmDontRoute && value <= PvmRouteDirect ? PvmOk : PvmBadParam;
    case PvmFragSize:
      return value >= smallest_fragment && value <= largest_fragment ? PvmOk : PvmBadParam;
    case PvmOutputTid:
      return destination(state, value, PvmSelfOutputTid) ? PvmOk : PvmBadParam;
    case PvmTraceTid:
      return destination(state, value, PvmSelfTraceTid) ? PvmOk : PvmBadParam;
    case PvmTraceOptions:
    case PvmSelfTraceOptions:
      return value >= PvmTraceFull && value <= PvmTraceCount ? PvmOk : PvmBadParam;
    case PvmNoReset:
      return state.enrolled() ? PvmOk : PvmBadParam;
    case PvmPollType:
    case PvmPollTime:
    case PvmSelfOutputContext:
    case PvmSelfTraceContext:
      return PvmNotImpl;
    default:
      return is_option(what) ? PvmOk : PvmBadParam;
  }
}

/// Where the option lives: some of them are variables that programs can see.
int& place_of(State& state, int what) {
  switch (what) {
    case PvmRoute:
      return state.me.cell(pvmrouteopt);
    case PvmDebugMask:
      return state.me.cell(pvmdebmask);
    case PvmAutoErr:
      return state.me.cell(pvmautoerr);
    case PvmFragSize:
      return state.me.cell(pvmfrgsiz);
    case PvmNoReset:
      return state.me.cell(pvmnoreset);
    default:
      return state.options[static_cast<std::size_t>(what)];
  }
}

/// The code for output that goes nowhere cannot be set.
bool ignored(State& state, int what) {
  return (what == PvmSelfOutputCode && state.options[PvmSelfOutputTid] == 0) ||
         (what == PvmSelfTraceCode && state.options[PvmSelfTraceTid] == 0);
}

/// If the task's own output or trace goes somewhere, tasks that it spawns from then on send theirs
/// there, too.
void pass_on(State& state, int what) {
  auto& options = state.options;
  if (what == PvmSelfOutputTid) options[PvmOutputTid] = options[PvmSelfOutputTid];
  if (what == PvmSelfTraceTid) options[PvmTraceTid] = options[PvmSelfTraceTid];
  if (options[PvmOutputTid] == options[PvmSelfOutputTid] &&
      (what == PvmSelfOutputTid || what == PvmSelfOutputCode))
    options[PvmOutputCode] = options[PvmSelfOutputCode];
  if (options[PvmTraceTid] == options[PvmSelfTraceTid] &&
      (what == PvmSelfTraceTid || what == PvmSelfTraceCode))
    options[PvmTraceCode] = options[PvmSelfTraceCode];
}

/// The tasks that the console's reset is to spare are entries of a class of their own, as in PVM.
void spare(State& state, bool spared) {
  need_machine(state);
  if (spared) {
    state.me.exec().put_entry({.name = PVMNORESETCLASS, .several = true});
    return;
  }
  for (auto const& entry : state.me.exec().entries().entries)
    if (entry.name == PVMNORESETCLASS && entry.owner == state.id())
      state.me.exec().get_entry({.name = entry.name, .index = entry.index, .remove = true});
}

/// The option's value before. One may be negative, and is no error then.
int set_option(State& state, char const* name, int what, int value) {
  int const verdict = check(state, what, value);
  if (verdict != PvmOk) return failed(state, name, verdict);
  int& place = place_of(state, what);
  if (ignored(state, what)) return place;
  if (what == PvmNoReset && (value != 0) != (place != 0)) spare(state, value != 0);
  int const before = std::exchange(place, value);
  pass_on(state, what);
  return before;
}

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_setopt(int what, int value) {
  return pvm::quiet_call(
      "pvm_setopt", [&](pvm::State& s) { return pvm::set_option(s, "pvm_setopt", what, value); });
}

// Names of PVM 3.0 to 3.2.

int pvm_advise(int route) {
  return pvm::quiet_call("pvm_advise", [&](pvm::State& s) {
    return pvm::set_option(s, "pvm_advise", PvmRoute, route);
  });
}

int pvm_serror(int how) {
  return pvm::quiet_call("pvm_serror", [&](pvm::State& s) {
    return pvm::set_option(s, "pvm_serror", PvmAutoErr, how);
  });
}

int pvm_getopt(int what) {
  return pvm::quiet_call("pvm_getopt", [&](pvm::State& s) {
    if (!pvm::is_option(what) || pvm::is_poll_option(what))
      return pvm::failed(s, "pvm_getopt", PvmBadParam);
    return pvm::place_of(s, what);
  });
}

}  // extern "C"
