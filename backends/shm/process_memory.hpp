// SPDX-License-Identifier: BSD-3-Clause
/// Copies between this process's memory and another's, by the system.
#pragma once

#include <algorithm>
#include <cstdint>

#include "generic/base/bytes.hpp"

namespace earl::shm {

/// The outcome of such a copy. `lost`: the process has ended, or the memory is no longer there.
enum class Fetched { all, refused, lost };

/// Copies from the memory of process `pid`, starting at `address`, until `to` is full.
Fetched read_memory(std::int32_t pid, std::uint64_t address, Scatter const& to);
/// The same for any layout; of a pattern, its first `size` bytes.
Fetched read_pieces(std::int32_t pid, std::uint64_t address, Scatter const& to, std::size_t size);
inline Fetched read_pieces(std::int32_t pid, std::uint64_t address, Scatter const& to) {
  return read_pieces(pid, address, to, to.size());
}
/// Copies `from` into the memory of process `pid`, to `address`.
Fetched write_memory(std::int32_t pid, std::uint64_t address, Bytes from);

/// Whether this system lets a process read another's memory at all; asks by reading its own.
bool may_read_memory();
/// Whether others may write into this process's memory: not below valgrind, to which what they
/// write is uninitialized.
bool may_be_written_to();

/// Fills the first `size` bytes of a pattern through memory that stays in the cache; `read(at,
/// room)` gets some of them and says whether it did.
template <class Read>
auto fill_pattern(Scatter const& to, std::size_t size, Read read) {
  constexpr std::size_t most = std::size_t{1} << 16;
  Buffer part{std::min(most, size)};
  auto done = Fetched::all;
  for (std::size_t at = 0; at < size && done == Fetched::all; at += part.size()) {
    part.shrink(size - at);
    done = read(at, part.room());
    if (done == Fetched::all) copy(part.bytes(), to, at);
  }
  return done;
}

}  // namespace earl::shm
