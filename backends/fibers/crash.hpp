// SPDX-License-Identifier: BSD-3-Clause
/// A rank that does what the processor or the C library will not bear ends; it alone, if possible.
#pragma once

#include <cstdint>
#include <string>

namespace earl {
class SharedProcessHost;
}

namespace earl::fibers {

struct Resident;

/// The running rank is about to end because of what it does at `where`: keeps its stack for
/// story_of().
void note_crash(Resident& rank, std::uintptr_t where);
/// Where the rank, which has crashed, was and who had called that, in words.
std::string story_of(Resident const& rank, SharedProcessHost& host);

/// For this process, on a stack of its own.
void watch_for_crashes();

}  // namespace earl::fibers
