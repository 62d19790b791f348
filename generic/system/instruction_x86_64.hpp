// SPDX-License-Identifier: BSD-3-Clause
/// The program counter on x86-64.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace earl {

inline std::uintptr_t program_counter(mcontext_t const& machine) {
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
}

}  // namespace earl
