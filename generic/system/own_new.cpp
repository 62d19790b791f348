// SPDX-License-Identifier: BSD-3-Clause
/// operator new and delete of the library or command that this is linked into, over own_malloc.cpp.
#include <cstddef>
#include <cstdlib>
#include <new>

#include "generic/system/heap.hpp"
#include "generic/system/own_symbol.hpp"

namespace {

namespace heap = earl::heap;

/// The rules of operator new.
void* allocate_or_throw(std::size_t size, std::size_t alignment = heap::usual_alignment) {
  for (;;) {
    if (void* const block = heap::allocate(size, alignment)) return block;
    auto const handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}

}  // namespace

using Nothrow = std::nothrow_t const&;
using Alignment = std::size_t;  // a std::align_val_t is passed as one

EARL_OWN(new, void*, "_Znwm", std::size_t size) { return allocate_or_throw(size); }
EARL_OWN(new_array, void*, "_Znam", std::size_t size) { return allocate_or_throw(size); }
EARL_OWN(new_aligned, void*, "_ZnwmSt11align_val_t", std::size_t size, Alignment alignment) {
  return allocate_or_throw(size, alignment);
}
EARL_OWN(new_array_aligned, void*, "_ZnamSt11align_val_t", std::size_t size, Alignment alignment) {
  return allocate_or_throw(size, alignment);
}
EARL_OWN(new_nothrow, void*, "_ZnwmRKSt9nothrow_t", std::size_t size, Nothrow /*tag*/) {
  return heap::allocate(size);
}
EARL_OWN(new_array_nothrow, void*, "_ZnamRKSt9nothrow_t", std::size_t size, Nothrow /*tag*/) {
  return heap::allocate(size);
}
EARL_OWN(new_aligned_nothrow, void*, "_ZnwmSt11align_val_tRKSt9nothrow_t", std::size_t size,
         Alignment alignment, Nothrow /*tag*/) {
  return heap::allocate(size, alignment);
}
EARL_OWN(new_array_aligned_nothrow, void*, "_ZnamSt11align_val_tRKSt9nothrow_t", std::size_t size,
         Alignment alignment, Nothrow /*tag*/) {
  return heap::allocate(size, alignment);
}

EARL_OWN(delete, void, "_ZdlPv", void* block) { std::free(block); }
EARL_OWN(delete_array, void, "_ZdaPv", void* block) { std::free(block); }
EARL_OWN(delete_sized, void, "_ZdlPvm", void* block, std::size_t /*size*/) { std::free(block); }
EARL_OWN(delete_array_sized, void, "_ZdaPvm", void* block, std::size_t /*size*/) {
  std::free(block);
}
EARL_OWN(delete_aligned, void, "_ZdlPvSt11align_val_t", void* block, Alignment /*of it*/) {
  std::free(block);
}
EARL_OWN(delete_array_aligned, void, "_ZdaPvSt11align_val_t", void* block, Alignment /*of it*/) {
  std::free(block);
}
EARL_OWN(delete_sized_aligned, void, "_ZdlPvmSt11align_val_t", void* block, std::size_t /*size*/,
         Alignment /*of it*/) {
  std::free(block);
}
EARL_OWN(delete_array_sized_aligned, void, "_ZdaPvmSt11align_val_t", void* block,
         std::size_t /*size*/, Alignment /*of it*/) {
  std::free(block);
}
EARL_OWN(delete_nothrow, void, "_ZdlPvRKSt9nothrow_t", void* block, Nothrow /*tag*/) {
  std::free(block);
}
EARL_OWN(delete_array_nothrow, void, "_ZdaPvRKSt9nothrow_t", void* block, Nothrow /*tag*/) {
  std::free(block);
}
EARL_OWN(delete_aligned_nothrow, void, "_ZdlPvSt11align_val_tRKSt9nothrow_t", void* block,
         Alignment /*of it*/, Nothrow /*tag*/) {
  std::free(block);
}
EARL_OWN(delete_array_aligned_nothrow, void, "_ZdaPvSt11align_val_tRKSt9nothrow_t", void* block,
         Alignment /*of it*/, Nothrow /*tag*/) {
  std::free(block);
}
