// SPDX-License-Identifier: BSD-3-Clause
/// Requests that the origin of a one-sided operation sends to its target, as they travel: a head,
/// the memory at the target, the data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "generic/base/bytes.hpp"
#include "generic/base/padding.hpp"

namespace earl::mpi {

enum class Access : std::uint32_t {
  put,
  get,
  accumulate,
  get_accumulate,
  compare_and_swap,
  flush,
  lock,
  unlock,
};

struct AccessHead {
  Access access = Access::flush;
  std::uint32_t operation = 0;    ///< code_of_operation(), of those that accumulate
  std::uint32_t element = 0;      ///< builtin::code_of() its datatype; a lock's LockType
  std::uint32_t words = 0;        ///< of the layout, which follow
  std::int64_t displacement = 0;  ///< in units of the target
  Padding padding{};              ///< of the memory, which an answer leaves out
};

/// A layout as words, and back.
using LayoutWords = std::vector<std::int64_t>;
void write(MemoryLayout const& layout, LayoutWords& words);
MemoryLayout read_layout(std::span<std::int64_t const> words);

/// A request that has arrived. Refers to the message's bytes.
struct ReceivedAccess {
  explicit ReceivedAccess(Bytes message);

  AccessHead head{};
  MemoryLayout layout{};
  Bytes data{};
};

}  // namespace earl::mpi
