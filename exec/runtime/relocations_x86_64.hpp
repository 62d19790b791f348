// SPDX-License-Identifier: BSD-3-Clause
/// The relocations of x86-64 that hold the address of a symbol.
#pragma once

#include <elf.h>

#include <cstdint>

namespace earl {

inline constexpr std::uint32_t slot_types[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_64};
inline constexpr std::uint32_t sum_type = R_X86_64_64;

}  // namespace earl
