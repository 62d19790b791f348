// SPDX-License-Identifier: BSD-3-Clause
/// Copies between this process's memory and another's, by the system.
#pragma once

#include <cstdint>

#include "generic/base/bytes.hpp"

namespace earl::shm {

/// The outcome of such a copy. `lost`: the process has ended, or the memory is no longer there.
enum class Fetched { all, refused, lost };

/// Copies from the memory of process `pid`, starting at `address`, until `to` is full.
Fetched read_memory(std::int32_t pid, std::uint64_t address, Scatter const& to);
/// Copies `from` into the memory of process `pid`, to `address`.
Fetched write_memory(std::int32_t pid, std::uint64_t address, Bytes from);

/// Whether this system lets a process read another's memory at all; asks by reading its own.
bool may_read_memory();
/// Whether others may write into this process's memory: not below valgrind, to which what they
/// write is uninitialized.
bool may_be_written_to();

}  // namespace earl::shm
