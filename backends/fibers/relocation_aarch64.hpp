// SPDX-License-Identifier: BSD-3-Clause
/// The relocations of arm64.
#pragma once

#include <elf.h>

#include "backends/fibers/relocation_kind.hpp"

namespace earl::fibers {

inline constexpr std::uint16_t machine_number = EM_AARCH64;
inline constexpr RelocationRow relocation_rows[] = {
    {R_AARCH64_NONE, RelocationKind::nothing},
    {R_AARCH64_RELATIVE, RelocationKind::base},
    {R_AARCH64_GLOB_DAT, RelocationKind::symbol_sum},
    {R_AARCH64_JUMP_SLOT, RelocationKind::symbol_sum},
    {R_AARCH64_ABS64, RelocationKind::symbol_sum},
    {R_AARCH64_COPY, RelocationKind::copy},
    {R_AARCH64_IRELATIVE, RelocationKind::function},
    {R_AARCH64_TLS_DTPMOD, RelocationKind::tls_module},
    {R_AARCH64_TLS_DTPREL, RelocationKind::tls_offset},
    {R_AARCH64_TLS_TPREL, RelocationKind::tls_address},
    {R_AARCH64_TLSDESC, RelocationKind::tls_descriptor},
};

}  // namespace earl::fibers
