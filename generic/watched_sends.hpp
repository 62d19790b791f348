// SPDX-License-Identifier: BSD-3-Clause
/// The memory of sends that are under way, for debuggers that report a program which alters it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "generic/base/bytes.hpp"
#include "generic/request.hpp"

namespace earl {

class WatchedSends {
 public:
  /// Nothing of memory with gaps, a pattern, is looked at.
  void add(RequestId send, Gather const& memory);
  void remove(RequestId send) { sends_.erase(static_cast<std::uint64_t>(send)); }
  bool has(RequestId send) const { return sends_.contains(static_cast<std::uint64_t>(send)); }
  /// Whether the bytes of the send have changed since, or their memory is gone. It is removed.
  bool take_altered(RequestId send);

 private:
  struct Memory {
    std::vector<Bytes> pieces{};
    std::uint32_t check = 0;  ///< CRC of the bytes
  };
  std::unordered_map<std::uint64_t, Memory> sends_{};
};

}  // namespace earl
