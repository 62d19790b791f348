// SPDX-License-Identifier: BSD-3-Clause
/// The relocations of arm64 that hold the address of a symbol.
#pragma once

#include <elf.h>

#include <cstdint>

namespace earl {

inline constexpr std::uint32_t slot_types[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT,
                                               R_AARCH64_ABS64};
inline constexpr std::uint32_t sum_type = R_AARCH64_ABS64;

}  // namespace earl
