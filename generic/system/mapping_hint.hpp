// SPDX-License-Identifier: BSD-3-Clause
/// Where Earl asks the system to map its own memory: far from the program's mappings, so that the
/// addresses of the program's large blocks do not depend on Earl's mappings in run, record or
/// replay.
#pragma once

#include <cstddef>

namespace earl {

/// For mmap(), which takes another place where this one is not free.
void* mapping_hint(std::size_t size) noexcept;

}  // namespace earl
