// SPDX-License-Identifier: BSD-3-Clause
// Descriptors to select() on: pvm_getfds, pvm_getnoresets.
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>

#include "frontends/pvm3/call.hpp"
#include "frontends/pvm3/descriptors.hpp"
#include "generic/exec_client.hpp"

namespace earl::pvm {

namespace {

// A message rings no descriptor, because most receivers never ask for one. This one becomes
// readable soon after each look that found nothing: a program that selects on it looks again. The
// more looks in a row have failed, the later.
constexpr int failed_looks_per_doubling = 8;
constexpr int most_doublings = 4;
constexpr long first_delay = 1'000'000;  // nanoseconds

itimerspec next_ring(State& state) {
  int const doublings = std::min(state.failed_looks++ / failed_looks_per_doubling, most_doublings);
  return {.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = first_delay << doublings}};
}

int descriptors(State& state, int** list) {
  state.enroll();
  if (state.bell < 0) state.bell = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (state.bell < 0) return PvmOutOfRes;
  state.me.waits_on_external_events();
  ring_soon(state);
  if (list) *list = &state.bell;
  return 1;
}

int no_resets(State& state, int** tids, int* count) {
  state.enroll();
  state.no_resets.clear();
  for (auto const& entry : state.me.exec().entries().entries)
    if (entry.name == PVMNORESETCLASS) state.no_resets.push_back(state.tid_of(entry.owner));
  if (tids) *tids = state.no_resets.data();
  if (count) *count = static_cast<int>(state.no_resets.size());
  return PvmOk;
}

}  // namespace

void ring_soon(State& state) {
  if (state.bell < 0) return;
  auto const next = next_ring(state);
  timerfd_settime(state.bell, 0, &next, nullptr);
}

}  // namespace earl::pvm

using namespace earl;

extern "C" {

int pvm_getfds(int** fds) {
  return pvm::call("pvm_getfds", [&](pvm::State& s) { return pvm::descriptors(s, fds); });
}

int pvm_getnoresets(int** tids, int* ntids) {
  return pvm::call("pvm_getnoresets",
                   [&](pvm::State& s) { return pvm::no_resets(s, tids, ntids); });
}

}  // extern "C"
