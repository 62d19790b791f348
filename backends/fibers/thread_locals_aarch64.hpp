// SPDX-License-Identifier: BSD-3-Clause
/// Thread-local variables on arm64: to be included by thread_locals.cpp alone.
#pragma once

namespace earl::fibers {

/// A program's own variables begin behind the thread pointer, where there is no room for them.
inline constexpr bool below_thread_pointer = false;

// The caller expects all other registers as they were.
asm(R"(
.text
.type earl_thread_local_distance, %function
.hidden earl_thread_local_distance
.globl earl_thread_local_distance
earl_thread_local_distance:
  str x1, [sp, #-16]!
  ldr x0, [x0, #8]
  mrs x1, tpidr_el0
  sub x0, x0, x1
  ldr x1, [sp], #16
  ret
.size earl_thread_local_distance, . - earl_thread_local_distance
)");

}  // namespace earl::fibers
