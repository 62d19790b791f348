// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/mapping_hint.hpp"

#include <atomic>
#include <cstdint>

namespace earl {

namespace {

/// Above the heap's slots (heap.cpp), below the system's mappings.
constexpr std::uintptr_t first_hint = 0x7100'0000'0000;
constexpr std::uintptr_t hint_range = std::uintptr_t{1} << 43;
constexpr std::uintptr_t step = 64 << 10;  // no page of any CPU is larger

constinit std::atomic<std::uintptr_t> used{0};

}  // namespace

void* mapping_hint(std::size_t size) noexcept {
  auto const rounded = (size + step - 1) / step * step;
  auto const at = used.fetch_add(rounded, std::memory_order_relaxed);
  return reinterpret_cast<void*>(first_hint + at % hint_range);
}

}  // namespace earl
