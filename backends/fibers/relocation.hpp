// SPDX-License-Identifier: BSD-3-Clause
/// The relocations of this architecture.
#pragma once

#include <elf.h>
#include <link.h>

#if defined(__x86_64__)
#include "backends/fibers/relocation_x86_64.hpp"
#elif defined(__aarch64__)
#include "backends/fibers/relocation_aarch64.hpp"
#endif

namespace earl::fibers {

constexpr RelocationKind asks(ElfW(Rela) const& relocation) {
  for (auto const& row : relocation_rows)
    if (row.number == ELF64_R_TYPE(relocation.r_info)) return row.asks;
  return RelocationKind::unknown;
}

}  // namespace earl::fibers
