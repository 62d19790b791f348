// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/common_memory.hpp"

#include "generic/system/shared_memory.hpp"

namespace earl::fibers {

std::shared_ptr<std::byte> CommonMemory::get(std::uint64_t key, std::size_t size) {
  if (auto const found = all_.find(key); found != all_.end())
    if (auto memory = found->second.lock()) return memory;
  std::erase_if(all_, [](auto const& one) { return one.second.expired(); });
  auto made = private_memory(size);
  all_[key] = made;
  return made;
}

}  // namespace earl::fibers
