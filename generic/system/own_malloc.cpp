// SPDX-License-Identifier: BSD-3-Clause
/// malloc and the like of the library or command that this is linked into: Earl's heap.
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "generic/system/heap.hpp"
#include "generic/system/own_symbol.hpp"

namespace {

namespace heap = earl::heap;

void* allocate(std::size_t size, std::size_t alignment = heap::usual_alignment) {
  void* const block = heap::allocate(size, alignment);
  if (!block) errno = ENOMEM;
  return block;
}

}  // namespace

EARL_OWN(malloc, void*, "malloc", std::size_t size) { return allocate(size); }

EARL_OWN(free, void, "free", void* block) {
  if (!block) return;
  int const error = errno;
  // Memory that the C library returned is of the program's malloc.
  if (heap::owns(block))
    heap::release(block);
  else
    heap::program_free(block);
  errno = error;
}

EARL_OWN(calloc, void*, "calloc", std::size_t count, std::size_t each) {
  std::size_t size = 0;
  if (__builtin_mul_overflow(count, each, &size)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* const block = allocate(size);
  return block ? std::memset(block, 0, size) : nullptr;
}

EARL_OWN(realloc, void*, "realloc", void* block, std::size_t size) {
  if (!block) return allocate(size);
  if (!heap::owns(block)) return heap::program_realloc(block, size);
  if (size == 0) {
    heap::release(block);
    return nullptr;
  }
  auto const room = heap::usable_size(block);
  if (size <= room && size >= room / 2) return block;
  void* const other = allocate(size);
  if (!other) return nullptr;
  std::memcpy(other, block, size < room ? size : room);
  heap::release(block);
  return other;
}

EARL_OWN(aligned_alloc, void*, "aligned_alloc", std::size_t alignment, std::size_t size) {
  return allocate(size, alignment);
}

EARL_OWN(memalign, void*, "memalign", std::size_t alignment, std::size_t size) {
  return allocate(size, alignment);
}

EARL_OWN(posix_memalign, int, "posix_memalign", void** block, std::size_t alignment,
         std::size_t size) {
  void* const there = heap::allocate(size, alignment);
  if (!there) return ENOMEM;
  *block = there;
  return 0;
}

EARL_OWN(strdup, char*, "strdup", char const* text) {
  auto const size = std::strlen(text) + 1;
  void* const block = allocate(size);
  return block ? static_cast<char*>(std::memcpy(block, text, size)) : nullptr;
}
