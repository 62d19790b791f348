// SPDX-License-Identifier: BSD-3-Clause
/// From one stack to another on x86-64.
#pragma once

#include <boost/context/detail/fcontext.hpp>

namespace earl::fibers {

/// Like jump_fcontext, without a call: it continues at the other side by a jump, not by a return. A
/// CPU that has seen a call more than returns mispredicts all returns behind it.
inline boost::context::detail::transfer_t switch_to(boost::context::detail::fcontext_t to,
                                                    void* data) {
  boost::context::detail::transfer_t from{};
  asm volatile(
      "lea -128(%%rsp), %%rsp\n"  // the red zone of a leaf function
      "lea 1f(%%rip), %%rax\n"
      "push %%rax\n"
      "jmp *jump_fcontext@GOTPCREL(%%rip)\n"
      "1:\n"
      "lea 128(%%rsp), %%rsp\n"
      : "=a"(from.fctx), "=d"(from.data), "+D"(to), "+S"(data)
      :
      : "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
        "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory",
        "cc");
  return from;
}

}  // namespace earl::fibers
