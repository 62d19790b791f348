// SPDX-License-Identifier: BSD-3-Clause
/// A rank that crashes in the CPU or the C library ends; it alone, if possible.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <string>

namespace earl {
class SharedProcessHost;
}

namespace earl::fibers {

struct RankFiber;

/// The running rank is about to end because of its operation at `place`. Keeps `context`, which is
/// of its stack, for explain_crash(): a signal handler must not walk a stack.
void note_crash(RankFiber& rank, std::uintptr_t place, ucontext_t const& context);
/// Where the crashed rank was, and its callers, as text. Not in a signal handler.
std::string explain_crash(RankFiber const& rank, SharedProcessHost& host);

/// For this process, on a stack of its own.
void watch_for_crashes();

}  // namespace earl::fibers
