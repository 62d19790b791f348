// SPDX-License-Identifier: BSD-3-Clause
/// Call stacks of processes that do not answer, and of code that a signal interrupted. A module
/// linked with libunwind walks them; it is loaded at the first stack. Each address is just behind a
/// call, as a return address is.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "generic/seams/report.hpp"
#include "generic/seams/shared_process.hpp"

namespace earl::symbols {

/// Why stacks are unavailable; empty: they are available.
std::string stacks_unavailable();

/// The stack of another process, innermost frame first. Stops the process for at most `most`; its
/// system call restarts afterwards (but for a few, which fail with EINTR: see signal(7)). No
/// frames: the system does not allow ptrace, or the process did not stop in time.
std::vector<Frame> stack_of(pid_t process, std::chrono::milliseconds most);
/// The same, beginning with the instruction that the innermost signal handler interrupted. No
/// frames also when no handler runs.
std::vector<Frame> interrupted_stack_of(pid_t process, std::chrono::milliseconds most);

/// False for the system's libraries and Earl's.
bool is_of_program(Frame const& frame);
/// The module and offset of `address` in another process.
Frame frame_in(pid_t process, std::uintptr_t address);

/// The stack of this process, innermost frame first, beginning at `context` (a signal handler's, or
/// getcontext()'s). `loaded`: code that the system's loader does not know.
std::vector<std::uintptr_t> stack_at(void const* context, std::span<Loaded const> loaded);

/// "in work at ring.c:12, called by main at ring.c:30": the innermost frame, and those callers that
/// belong to the program.
std::string calls_text(std::span<Frame const> stack);

}  // namespace earl::symbols
