// SPDX-License-Identifier: BSD-3-Clause
/// Thread-local variables on x86-64: to be included by thread_locals.cpp alone.
#pragma once

namespace earl::fibers {

/// Whether a program's own variables end at the thread pointer.
inline constexpr bool below_thread_pointer = true;

// The caller expects all other registers as they were.
asm(R"(
.text
.type earl_thread_local_distance, @function
.hidden earl_thread_local_distance
.globl earl_thread_local_distance
earl_thread_local_distance:
  mov 8(%rax), %rax
  sub %fs:0, %rax
  ret
.size earl_thread_local_distance, . - earl_thread_local_distance
)");

}  // namespace earl::fibers
