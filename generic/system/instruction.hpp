// SPDX-License-Identifier: BSD-3-Clause
/// The instruction that a process was executing when a signal came.
#pragma once

#include <ucontext.h>

#include <cstdint>

#if defined(__x86_64__)
#include "generic/system/instruction_x86_64.hpp"
#elif defined(__aarch64__)
#include "generic/system/instruction_aarch64.hpp"
#endif

namespace earl {

/// The instruction's address, from the third argument of a signal handler with SA_SIGINFO.
inline std::uintptr_t interrupted_instruction(void const* context) {
  return program_counter(static_cast<ucontext_t const*>(context)->uc_mcontext);
}

}  // namespace earl
