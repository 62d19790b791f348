/// What a process can tell of itself when EXEC asks whether it can go on.
#pragma once

#include <functional>
#include <vector>

#include "generic/report.hpp"

namespace earl::boot {

/// The program's part of this thread's stack: the call that returns to `site`, its caller, and so
/// on; Report::most_frames at most. Without an unwind table for what lies between, `site` alone.
std::vector<Frame> program_stack(void const* site, std::function<Frame(void const*)> const& locate);
/// Of code that the system's loader has loaded.
Frame frame_at(void const* address);

/// Whether something else than a message may wake this process: a timer, a signal the program has
/// a handler for, another thread.
bool may_wake_by_itself();

}  // namespace earl::boot
