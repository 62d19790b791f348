// SPDX-License-Identifier: BSD-3-Clause
/// Memory that ranks of the shared process have together. A copy of the shared process has a copy.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

namespace earl::fibers {

class CommonMemory {
 public:
  /// Port::common_memory() of all ranks.
  std::shared_ptr<std::byte> get(std::uint64_t key, std::size_t size);

 private:
  std::unordered_map<std::uint64_t, std::weak_ptr<std::byte>> all_;
};

}  // namespace earl::fibers
