// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/stack.hpp"

#include <sys/mman.h>

#include <cerrno>

#include "generic/base/error.hpp"

namespace earl::fibers {

namespace {

/// Wide enough for a function with large arrays of its own to hit it.
constexpr std::size_t guard = 64 * 1024;
constexpr std::size_t spread = 64 * 1024;
/// An odd number of cache lines, and more than a rank that sends and receives uses.
constexpr std::size_t step = 35 * 64;

}  // namespace

Stack::Stack(std::size_t size, std::size_t nth) : size_(size), shift_(nth * step % spread) {
  void* memory = ::mmap(nullptr, guard + size + spread, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    throw Error(Fault::no_memory,
                "no room for the stack of one more rank: {} (ulimit -v, vm.max_map_count)",
                system_message(errno));
  ::mprotect(memory, guard, PROT_NONE);
  lowest_ = reinterpret_cast<std::uintptr_t>(memory);
}

Stack::~Stack() { ::munmap(reinterpret_cast<void*>(lowest_), guard + size_ + spread); }

void* Stack::top() const {
  return reinterpret_cast<void*>(lowest_ + guard + size_ + spread - shift_);
}

bool Stack::guards(std::uintptr_t address) const { return address - lowest_ < guard; }

}  // namespace earl::fibers
