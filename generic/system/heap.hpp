// SPDX-License-Identifier: BSD-3-Clause
/// Earl's own heap. Programs of the time read memory from malloc before they write it; without Earl
/// it is zero. So Earl must not take blocks from the program's malloc and free them there:
/// own_malloc.cpp makes malloc and operator new of each of Earl's libraries and commands end here.
#pragma once

#include <cstddef>

namespace earl::heap {

/// The alignment that malloc promises of every block.
inline constexpr std::size_t usual_alignment = 16;

/// Null: no memory. Several threads may call these at once.
void* allocate(std::size_t size, std::size_t alignment = usual_alignment) noexcept;
void release(void* block) noexcept;

/// Whether `block` is of this heap.
bool owns(void const* block) noexcept;
/// The bytes that fit into a block of this heap.
std::size_t usable_size(void const* block) noexcept;

struct Usage {
  std::size_t in_use = 0;  ///< bytes of blocks that have not been released
  std::size_t held = 0;    ///< bytes of the heap
};
Usage usage() noexcept;

/// For memory that the program will pass to free() or has from malloc(): the program's own
/// functions, also where a library replaces them.
void* program_malloc(std::size_t size) noexcept;
void* program_realloc(void* block, std::size_t size) noexcept;
void program_free(void* block) noexcept;

/// In a process that holds several programs: the functions that these three call from now on.
struct ProgramHeap {
  void* (*malloc)(std::size_t);
  void* (*realloc)(void*, std::size_t);
  void (*free)(void*);
};
void use_program_heap(ProgramHeap const& heap) noexcept;

}  // namespace earl::heap
