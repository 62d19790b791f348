// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/program_heap.hpp"

#include <dlfcn.h>
#include <malloc.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "generic/system/heap.hpp"

namespace earl::heap {

namespace {

// The block sizes of the C library's malloc: from `smallest` in steps, and up to `largest_kept` it
// keeps lists of blocks that it never joins with their neighbours.
constexpr std::size_t smallest = 24;
constexpr std::size_t step = 16;
constexpr std::size_t largest_kept = 1032;

/// Whether malloc() of the program is that of the library that mallinfo2() describes.
bool has_usual_malloc() noexcept {
  Dl_info asked{};
  Dl_info usual{};
  auto* const found = ::dlsym(RTLD_DEFAULT, "malloc");
  return found && ::dladdr(found, &asked) != 0 &&
         ::dladdr(reinterpret_cast<void*>(&::mallinfo2), &usual) != 0 &&
         asked.dli_fbase == usual.dli_fbase;
}

/// malloc() looks among its free blocks first, then cuts from the memory above them, then extends
/// that: only what is below the present end of the heap has been written.
class FreeMemory {
 public:
  /// Keeps a block of `size` bytes. False: no free one had room, and this one is new memory.
  bool take(std::size_t size) const noexcept {
    auto const block = reinterpret_cast<std::uintptr_t>(program_malloc(size));
    return block != 0 && block < end_;
  }

 private:
  std::uintptr_t end_ = reinterpret_cast<std::uintptr_t>(::sbrk(0));
};

}  // namespace

void retire_free_memory() noexcept {
  if (!has_usual_malloc()) return;
  FreeMemory const free;
  // From the largest to the smallest, so that what is left over of a block is found by its size.
  for (auto size = ::mallinfo2().fordblks; size > largest_kept; size -= size / 4)
    while (free.take(size)) {
    }
  for (auto size = largest_kept; size >= smallest; size -= step)
    while (free.take(size)) {
    }
}

}  // namespace earl::heap
