// SPDX-License-Identifier: BSD-3-Clause
/// Where a debugger of the system, such as gdb, learns of ranks' copies: it does not find them by
/// itself, because the system's loader has not loaded them. These do nothing; a debugger has
/// breakpoints here (gdb.py) and looks at the registers of the arguments.
#pragma once

#include <cstddef>
#include <cstdint>

namespace earl::fibers {

/// The file, what its addresses are relative to, how many bytes it covers, whose it is.
void file_is_mapped(char const* path, std::uintptr_t base, std::size_t size, std::int32_t rank);
/// Nothing of the ranks that file_is_mapped() has reported has run yet.
void ranks_have_arrived();

}  // namespace earl::fibers
