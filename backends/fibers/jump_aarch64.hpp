// SPDX-License-Identifier: BSD-3-Clause
/// The beginning of a program on arm64.
#pragma once

#include <cstdint>

namespace earl::fibers {

/// Continues at a program's entry, on the stack that its start code reads.
[[noreturn]] inline void jump(std::uintptr_t entry, void* stack) {
  asm volatile(
      "mov sp, %0\n"
      "mov x0, xzr\n"  // no function of a loader's to call at exit
      "mov x29, xzr\n"
      "mov x30, xzr\n"
      "br %1\n"
      :
      : "r"(stack), "r"(entry)
      : "x0", "memory");
  __builtin_unreachable();
}

}  // namespace earl::fibers
