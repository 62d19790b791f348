// SPDX-License-Identifier: BSD-3-Clause
/// The relocations of x86-64.
#pragma once

#include <elf.h>

#include "backends/fibers/relocation_kind.hpp"

namespace earl::fibers {

inline constexpr std::uint16_t machine_number = EM_X86_64;
inline constexpr RelocationRow relocation_rows[] = {
    {R_X86_64_NONE, RelocationKind::nothing},
    {R_X86_64_RELATIVE, RelocationKind::base},
    {R_X86_64_GLOB_DAT, RelocationKind::symbol},
    {R_X86_64_JUMP_SLOT, RelocationKind::symbol},
    {R_X86_64_64, RelocationKind::symbol_sum},
    {R_X86_64_COPY, RelocationKind::copy},
    {R_X86_64_IRELATIVE, RelocationKind::function},
    {R_X86_64_DTPMOD64, RelocationKind::tls_module},
    {R_X86_64_DTPOFF64, RelocationKind::tls_offset},
    {R_X86_64_TPOFF64, RelocationKind::tls_address},
    {R_X86_64_TLSDESC, RelocationKind::tls_descriptor},
};

}  // namespace earl::fibers
