// SPDX-License-Identifier: BSD-3-Clause
// Trace masks (pvmtev.h): stored, and no event is ever sent.
#include <cstring>

#include "frontends/pvm3/call.hpp"

namespace earl::pvm {

namespace {

std::array<char, 36>* mask_of(State& state, int who) {
  if (who != PvmTaskSelf && who != PvmTaskChild) return nullptr;
  return &state.trace_masks[static_cast<std::size_t>(who)];
}

}  // namespace

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_gettmask(int who, char* mask) {
  return pvm::call("pvm_gettmask", [&](pvm::State& s) -> int {
    auto const* ours = pvm::mask_of(s, who);
    if (!ours || !mask) return PvmBadParam;
    std::memcpy(mask, ours->data(), ours->size());
    return PvmOk;
  });
}

int pvm_settmask(int who, char* mask) {
  return pvm::call("pvm_settmask", [&](pvm::State& s) -> int {
    auto* ours = pvm::mask_of(s, who);
    if (!ours || !mask) return PvmBadParam;
    std::memcpy(ours->data(), mask, ours->size());
    return PvmOk;
  });
}

/// Whether an event is wanted. None is, so that no data is packed for one.
int tev_begin(int /*event*/, int /*entry_or_exit*/) { return 0; }
int tev_do_trace(int /*event*/, int /*entry_or_exit*/) { return 0; }

}  // extern "C"
