// SPDX-License-Identifier: BSD-3-Clause
/// The functions that allocate. The C library's own allocations stay its own, also where the
/// program releases them.
#include <dlfcn.h>
#include <malloc.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "backends/fibers/crash.hpp"
#include "backends/fibers/heap.hpp"
#include "backends/fibers/here.hpp"
#include "backends/fibers/hooks.hpp"
#include "generic/system/heap.hpp"

namespace earl::fibers {

namespace {

/// The C library's own: in this file malloc() is Earl's.
struct Native {
  void* (*aligned_alloc)(std::size_t, std::size_t);
  void* (*realloc)(void*, std::size_t);
  void (*free)(void*);
  std::size_t (*usable_size)(void*);
};

Native const& native() {
  auto const find = [](auto& function, char const* name) {
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(RTLD_DEFAULT, name));
  };
  static Native const functions = [&] {
    Native found{};
    find(found.aligned_alloc, "aligned_alloc");
    find(found.realloc, "realloc");
    find(found.free, "free");
    find(found.usable_size, "malloc_usable_size");
    return found;
  }();
  return functions;
}

/// The rank that a function of a front end works for, which may not be the running one.
RankHeap& heap_of_rank() { return *here.scheduler->concerned()->heap; }

/// Reports as glibc does, on standard error. `caller`: the faulty code of the program.
[[noreturn]] void fail(std::string_view what, void* caller) {
  auto& rank = me();
  rank.err.write(what);
  ucontext_t context;
  ::getcontext(&context);
  note_crash(rank, reinterpret_cast<std::uintptr_t>(caller) - 1, context);
  raise_in_rank(SIGABRT);
  terminate_rank(SIGABRT);
}

RankHeap::Block allocate(std::size_t size, std::size_t alignment = usual_alignment) {
  auto block = heap_of_rank().allocate(size, alignment);
  if (!block.memory) block = {native().aligned_alloc(alignment, size), false};
  return block;
}

/// False: this is no block.
bool release(void* block) {
  if (!block) return true;
  if (!RankHeap::holds(block)) {
    native().free(block);
    return true;
  }
  auto* const heap = RankHeap::at(block);
  return !heap || heap->release(block);  // of one that has ended it has gone
}

std::size_t usable_size(void* block) {
  return RankHeap::holds(block) ? RankHeap::usable_size(block) : native().usable_size(block);
}

void* allocate_memory(std::size_t size) { return allocate(size).memory; }

void* allocate_zeros(std::size_t count, std::size_t each) {
  std::size_t size = 0;
  if (__builtin_mul_overflow(count, each, &size)) {
    errno = ENOMEM;
    return nullptr;
  }
  auto const block = allocate(size);
  return block.memory && !block.zero ? std::memset(block.memory, 0, size) : block.memory;
}

void free_memory(void* block) {
  int const error = errno;
  if (!release(block)) fail("free(): invalid pointer\n", __builtin_return_address(0));
  errno = error;
}

/// Null with `*invalid`: this is no block.
void* resize(void* block, std::size_t size, bool* invalid) {
  if (!block) return allocate_memory(size);
  if (!RankHeap::holds(block)) return native().realloc(block, size);
  if (size == 0) {
    *invalid = !release(block);
    return nullptr;
  }
  auto const room = RankHeap::usable_size(block);
  if (size <= room && size >= room / 2) return block;
  void* const other = allocate_memory(size);
  if (!other) return nullptr;
  std::memcpy(other, block, std::min(size, room));
  *invalid = !release(block);
  return *invalid ? nullptr : other;
}

void* resize_memory(void* block, std::size_t size) {
  bool invalid = false;
  void* const other = resize(block, size, &invalid);
  if (invalid) fail("realloc(): invalid pointer\n", __builtin_return_address(0));
  return other;
}

void* resize_array(void* block, std::size_t count, std::size_t each) {
  std::size_t size = 0;
  if (!__builtin_mul_overflow(count, each, &size)) return resize_memory(block, size);
  errno = ENOMEM;
  return nullptr;
}

void* allocate_aligned(std::size_t alignment, std::size_t size) {
  if (alignment <= usual_alignment) return allocate_memory(size);
  return allocate(size, std::bit_ceil(alignment)).memory;
}

int allocate_aligned_to(void** block, std::size_t alignment, std::size_t size) {
  if (!std::has_single_bit(alignment) || alignment < sizeof(void*)) return EINVAL;
  void* const memory = allocate_aligned(alignment, size);
  if (!memory) return ENOMEM;
  *block = memory;
  return 0;
}

void* allocate_page(std::size_t size) { return allocate_aligned(page, size); }
void* allocate_pages(std::size_t size) {
  return allocate_aligned(page, (size + page - 1) / page * page);
}

std::size_t usable_size_of(void* block) { return block ? usable_size(block) : 0; }

char* copy_of(std::string_view text) {
  auto* const copy = static_cast<char*>(allocate_memory(text.size() + 1));
  if (!copy) return nullptr;
  text.copy(copy, text.size());
  copy[text.size()] = '\0';
  return copy;
}
char* copy_text(char const* text) { return copy_of(text); }
char* copy_part(char const* text, std::size_t most) {
  return copy_of({text, ::strnlen(text, most)});
}

// The C library would enlarge the program's block itself.

ssize_t read_until(char** line, std::size_t* size, int delimiter, std::FILE* stream) {
  if (!line || !size) {
    errno = EINVAL;
    return -1;
  }
  constexpr std::size_t least = 120;
  std::size_t length = 0;
  for (int next = 0; length == 0 || next != delimiter; ++length) {
    next = std::fgetc(stream);
    if (next == EOF) break;
    if (!*line || *size < length + 2) {
      auto const larger = std::max(least, 2 * *size);
      void* const other = resize_memory(*line, larger);
      if (!other) return -1;
      *line = static_cast<char*>(other);
      *size = larger;
    }
    (*line)[length] = static_cast<char>(next);
  }
  if (length == 0) return -1;
  (*line)[length] = '\0';
  return static_cast<ssize_t>(length);
}

ssize_t read_line(char** line, std::size_t* size, std::FILE* stream) {
  return read_until(line, size, '\n', stream);
}

// A stream may outlive its rank, a buffer of the rank's may not.

int set_buffering(std::FILE* stream, char*, int mode, std::size_t size) {
  return std::setvbuf(stream, nullptr, mode, size);
}
void set_buffer_of(std::FILE* stream, char* buffer, std::size_t size) {
  set_buffering(stream, nullptr, buffer ? _IOFBF : _IONBF, size);
}
void set_buffer(std::FILE* stream, char* buffer) { set_buffer_of(stream, buffer, BUFSIZ); }

// Memory that Earl gives to the program, and takes from it.

void* program_realloc(void* block, std::size_t size) {
  bool invalid = false;
  return resize(block, size, &invalid);  // of a rank's only on its turn
}
void* program_malloc(std::size_t size) {
  bool const for_rank = here.scheduler && here.scheduler->concerned();
  return for_rank ? allocate_memory(size) : native().aligned_alloc(usual_alignment, size);
}
void program_free(void* block) { static_cast<void>(release(block)); }

}  // namespace

void enable_rank_heaps() {
  native();
  heap::use_program_heap(
      {.malloc = program_malloc, .realloc = program_realloc, .free = program_free});
}

std::span<Hook const> heap_hooks() {
  static Hook const table[] = {
      hook("malloc", allocate_memory),
      hook("calloc", allocate_zeros),
      hook("free", free_memory),
      hook("cfree", free_memory),
      hook("realloc", resize_memory),
      hook("reallocarray", resize_array),
      hook("memalign", allocate_aligned),
      hook("aligned_alloc", allocate_aligned),
      hook("posix_memalign", allocate_aligned_to),
      hook("valloc", allocate_page),
      hook("pvalloc", allocate_pages),
      hook("malloc_usable_size", usable_size_of),
      hook("strdup", copy_text),
      hook("__strdup", copy_text),
      hook("strndup", copy_part),
      hook("__strndup", copy_part),
      hook("getline", read_line),
      hook("getdelim", read_until),
      hook("__getdelim", read_until),
      hook("setvbuf", set_buffering),
      hook("setbuffer", set_buffer_of),
      hook("setbuf", set_buffer),
  };
  return table;
}

}  // namespace earl::fibers
