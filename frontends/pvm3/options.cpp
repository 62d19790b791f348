// Setting and getting options.
#include "frontends/pvm3/call.hpp"

namespace earl::pvm {

namespace {

constexpr int smallest_fragment = 4 + 16;  // natively: a word behind the fragment header
constexpr int largest_fragment = 1'048'576;

bool is_option(int what) { return what >= PvmRoute && what <= PvmNoReset; }
bool is_poll_option(int what) { return what == PvmPollType || what == PvmPollTime; }

/// Whether the native library takes that value.
int check(State& state, int what, int value) {
  switch (what) {
    case PvmRoute:
      return value >= PvmDontRoute && value <= PvmRouteDirect ? PvmOk : PvmBadParam;
    case PvmFragSize:
      return value >= smallest_fragment && value <= largest_fragment ? PvmOk : PvmBadParam;
    case PvmOutputTid:
    case PvmTraceTid:
    case PvmSelfOutputTid:
    case PvmSelfTraceTid:
      return value == 0 || value == state.tid() ? PvmOk : PvmBadParam;
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

/// Where the option lives: two of them are variables that programs can see.
int& place_of(State& state, int what) {
  if (what == PvmAutoErr) return state.me.cell(pvmautoerr);
  if (what == PvmDebugMask) return state.me.cell(pvmdebmask);
  return state.options[static_cast<std::size_t>(what)];
}

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_setopt(int what, int value) {
  return pvm::call("pvm_setopt", [&](pvm::State& s) {
    int const verdict = pvm::check(s, what, value);
    if (verdict != PvmOk) return verdict;
    return std::exchange(pvm::place_of(s, what), value);
  });
}

int pvm_getopt(int what) {
  return pvm::call("pvm_getopt", [&](pvm::State& s) {
    if (!pvm::is_option(what) || pvm::is_poll_option(what)) return PvmBadParam;
    return pvm::place_of(s, what);
  });
}

}  // extern "C"
