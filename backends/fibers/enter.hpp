// SPDX-License-Identifier: BSD-3-Clause
/// The first steps of a program, as the system's kernel would make them.
#pragma once

#include "backends/fibers/rank_fiber.hpp"

namespace earl::fibers {

/// Jumps to the program's start code with arguments and environment on the stack.
[[noreturn]] void enter_program(RankFiber& rank);

}  // namespace earl::fibers
