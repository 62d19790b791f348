// SPDX-License-Identifier: BSD-3-Clause
/// The instruction that a process was executing when a signal came.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace earl {

/// The instruction's address, from the third argument of a signal handler with SA_SIGINFO; 0 on
/// unsupported CPUs.
inline std::uintptr_t interrupted_instruction(void const* context) {
  auto const& machine = static_cast<ucontext_t const*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine.pc;
#else
  static_cast<void>(machine);
  return 0;
#endif
}

}  // namespace earl
