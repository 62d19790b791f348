// SPDX-License-Identifier: BSD-3-Clause
/// The beginning of a program on x86-64.
#pragma once

#include <cstdint>

namespace earl::fibers {

/// Continues at a program's entry, on the stack that its start code reads.
[[noreturn]] inline void jump(std::uintptr_t entry, void* stack) {
  asm volatile(
      "mov %0, %%rsp\n"
      "xor %%edx, %%edx\n"  // no function of a loader's to call at exit
      "xor %%ebp, %%ebp\n"
      "jmp *%1\n"
      :
      : "r"(stack), "r"(entry)
      : "rdx", "memory");
  __builtin_unreachable();
}

}  // namespace earl::fibers
