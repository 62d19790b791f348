// SPDX-License-Identifier: BSD-3-Clause
/// The program counter on arm64.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace earl {

inline std::uintptr_t program_counter(mcontext_t const& machine) { return machine.pc; }

}  // namespace earl
