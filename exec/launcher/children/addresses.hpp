// SPDX-License-Identifier: BSD-3-Clause
/// Where a program's code, heap and stack are: moved at random, or as in every run. Programs
/// compare and hash pointers, so record and replay start them at the same addresses.
#pragma once

#include <span>

#include "exec/runtime/control.hpp"

namespace earl::exec {

/// For programs that the calling process executes from now on. False: the system does not allow it,
/// as the filter of a container may not. System calls only.
bool fix_addresses();

/// Whether fix_addresses() would succeed in a child.
bool can_fix_addresses();

/// Whether one of the debuggers asks for it.
bool ask_fixed_addresses(std::span<control::ToolUse const> tools);

}  // namespace earl::exec
