// SPDX-License-Identifier: BSD-3-Clause
/// Reports ranks' copies to a debugger of the system, such as gdb, which cannot find them because
/// the system's loader has not loaded them. These functions do nothing; a debugger has breakpoints
/// here (gdb.py) and reads the arguments from registers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace earl::fibers {

/// The file, its load bias, the number of bytes it covers, and its rank.
void file_is_mapped(char const* path, std::uintptr_t base, std::size_t size, std::int32_t rank);
/// Nothing of the ranks that file_is_mapped() has reported has run yet.
void ranks_have_been_loaded();

}  // namespace earl::fibers
