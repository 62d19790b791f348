// SPDX-License-Identifier: BSD-3-Clause
#include "generic/system/heap.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>

#include "generic/system/heap_runs.hpp"

// Nothing here may allocate or throw: operator new ends here, also before main().

namespace earl::heap {

namespace {

/// Small enough that no huge page is made for a process that needs a few kilobytes.
constexpr std::size_t least_growth = 256 << 10;
/// Blocks from this size on are runs of their own; smaller ones are cut from runs that are never
/// given back.
constexpr std::size_t large = FreeRuns::least;
constexpr std::size_t small_run = FreeRuns::size_for(64 << 10);

/// Where the arena is when nothing else is there: far from the system's mappings, so that the
/// program's own mappings lie as they do without Earl. A second Earl in a process uses the next
/// slot.
constexpr std::uintptr_t first_slot = 0x6800'0000'0000;
constexpr std::uintptr_t slot_size = std::uintptr_t{1} << 40;
constexpr int slots = 8;
/// Where no slot can be mapped (under valgrind) a part of the address space is reserved.
constexpr std::size_t most_reserved = std::size_t{2} << 30;
constexpr std::size_t least_reserved = 16 << 20;

/// Where its own class has no free block, one of so many next larger ones will do: it is at most
/// twice as large. Otherwise each class keeps as many as were ever needed of it at once, and the
/// heap of a program that sends messages of all sizes grows for hours.
constexpr std::size_t classes_to_try = 4;

/// Before each block. A block with a larger alignment has a second header before the address that
/// the caller has; its shift leads to the first.
struct alignas(usual_alignment) BlockHeader {
  enum class State : std::uint32_t { used = 0x7573'6564U, free = 0x6672'6565U };
  State state;
  std::uint32_t size_class;  ///< size_classes: a large one, whose size the run in front says
  std::size_t shift;         ///< bytes from the block's address to the caller's

  bool is_large() const { return size_class == size_classes; }
};

struct FreeBlock {
  FreeBlock* next;
};

std::size_t room_of(BlockHeader const& header) {
  auto& block = const_cast<BlockHeader&>(header);
  return header.is_large() ? Run::at(&block).room() - sizeof(BlockHeader)
                           : size_of(header.size_class);
}

[[noreturn]] void damaged(std::string_view what) {
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, what.data(), what.size());
  std::abort();
}

class Arena {
 public:
  void* allocate(std::size_t size);
  void release(void* block);
  bool owns(void const* block) const {
    auto const at = reinterpret_cast<std::uintptr_t>(block);
    return at >= base_.load(std::memory_order_relaxed) && at < top_.load(std::memory_order_relaxed);
  }
  std::mutex& mutex() { return mutex_; }
  Usage usage() const { return {.in_use = in_use_, .held = top_ - base_}; }

 private:
  void* allocate_small(std::size_t size);
  void* allocate_large(std::size_t size);
  void* begin_block(std::byte* at, std::size_t size_class);
  std::size_t class_to_take(std::size_t size) const;
  std::byte* cut(std::size_t bytes);
  Run* take_run(std::size_t size);
  std::byte* carve(std::size_t bytes);
  bool grow(std::size_t bytes);
  bool begin(std::size_t bytes);
  bool reserve();

  std::mutex mutex_;
  /// From base_ to top_ there are blocks, from there to mapped_ room for more. owns() reads without
  /// the lock.
  std::atomic<std::uintptr_t> base_{0}, top_{0};
  std::uintptr_t mapped_ = 0, end_ = 0;
  bool reserved_ = false;  ///< up to end_, yet without access
  std::size_t in_use_ = 0;
  FreeRuns runs_;
  std::byte* small_ = nullptr;  ///< the rest of the run that small blocks are cut from
  std::byte* small_end_ = nullptr;
  std::array<FreeBlock*, size_classes> free_lists_{};
};

constinit Arena arena;

/// While the process has one thread there is nothing to lock.
class Guard {
 public:
  Guard() : locked_(__libc_single_threaded == 0) {
    if (locked_) arena.mutex().lock();
  }
  ~Guard() {
    if (locked_) arena.mutex().unlock();
  }
  Guard(Guard const&) = delete;
  Guard& operator=(Guard const&) = delete;

 private:
  bool locked_;
};

void* map(std::uintptr_t where, std::size_t size, int protection, int flags) {
  void* const memory = ::mmap(reinterpret_cast<void*>(where), size, protection,
                              MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

/// MAP_FIXED_NOREPLACE is only a hint to kernels that do not know it.
bool map_there(std::uintptr_t where, std::size_t size) {
  void* const memory = map(where, size, PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE);
  if (!memory) return false;
  if (reinterpret_cast<std::uintptr_t>(memory) == where) return true;
  ::munmap(memory, size);
  return false;
}

bool Arena::begin(std::size_t bytes) {
  for (int i = 0; i < slots; ++i) {
    auto const slot = first_slot + static_cast<std::uintptr_t>(i) * slot_size;
    if (!map_there(slot, bytes)) continue;
    mapped_ = slot + bytes;
    end_ = slot + slot_size;
    top_ = slot;
    base_ = slot;
    return true;
  }
  return reserve();
}

bool Arena::reserve() {
  for (auto size = most_reserved; size >= least_reserved; size /= 2)
    if (void* const memory = map(0, size, PROT_NONE, MAP_NORESERVE)) {
      mapped_ = reinterpret_cast<std::uintptr_t>(memory);
      end_ = mapped_ + size;
      reserved_ = true;
      top_ = mapped_;
      base_ = mapped_;
      return true;
    }
  return false;
}

/// By a quarter of the present size, so that large heaps grow rarely; by less where that fails.
bool Arena::grow(std::size_t bytes) {
  auto const least = round_up(bytes, page);
  if (base_ == 0 && !begin(round_up(least, least_growth)) && !begin(least)) return false;
  if (mapped_ - top_ >= bytes) return true;
  auto const missing = round_up(bytes - (mapped_ - top_), page);
  auto const quarter = round_up((top_ - base_) / 4, least_growth);
  for (auto const size : {std::max({missing, quarter, least_growth}), missing}) {
    if (size > end_ - mapped_) continue;
    bool const there =
        reserved_ ? ::mprotect(reinterpret_cast<void*>(mapped_), size, PROT_READ | PROT_WRITE) == 0
                  : map_there(mapped_, size);
    if (!there) continue;
    mapped_ += size;
    return true;
  }
  return false;
}

std::byte* Arena::carve(std::size_t bytes) {
  if (mapped_ - top_ < bytes && !grow(bytes)) return nullptr;
  auto* const block = reinterpret_cast<std::byte*>(top_.load(std::memory_order_relaxed));
  top_.store(top_.load(std::memory_order_relaxed) + bytes, std::memory_order_relaxed);
  return block;
}

/// The class that a block of that size comes from.
std::size_t Arena::class_to_take(std::size_t size) const {
  auto const own = class_of(size);
  if (own < small_classes || free_lists_[own]) return own;
  auto const last = std::min(own + classes_to_try, size_classes - 1);
  for (auto larger = own + 1; larger <= last; ++larger)
    if (free_lists_[larger]) return larger;
  return own;
}

/// Null: the system has no memory.
Run* Arena::take_run(std::size_t size) {
  if (auto* const run = runs_.take(size)) return run;
  auto const missing = runs_.missing_for(size);
  auto* const more = carve(missing);
  if (!more) return nullptr;
  runs_.extend(more, missing);
  return runs_.take(size);
}

/// Fresh memory for a small block; what is left of a run that is too short is lost.
std::byte* Arena::cut(std::size_t bytes) {
  if (static_cast<std::size_t>(small_end_ - small_) < bytes) {
    auto* const run = take_run(small_run);
    if (!run) return nullptr;
    small_ = static_cast<std::byte*>(run->bytes());
    small_end_ = small_ + run->room();
  }
  return std::exchange(small_, small_ + bytes);
}

void* Arena::begin_block(std::byte* at, std::size_t size_class) {
  auto* const header = reinterpret_cast<BlockHeader*>(at);
  *header = {.state = BlockHeader::State::used,
             .size_class = static_cast<std::uint32_t>(size_class),
             .shift = 0};
  in_use_ += room_of(*header);
  return header + 1;
}

void* Arena::allocate(std::size_t size) {
  return size_of(class_of(size)) < large ? allocate_small(size) : allocate_large(size);
}

void* Arena::allocate_large(std::size_t size) {
  auto* const run = take_run(FreeRuns::size_for(size + sizeof(BlockHeader)));
  return run ? begin_block(static_cast<std::byte*>(run->bytes()), size_classes) : nullptr;
}

void* Arena::allocate_small(std::size_t size) {
  auto const size_class = class_to_take(size);
  if (auto* const again = free_lists_[size_class]) {
    free_lists_[size_class] = again->next;
    auto* const header = reinterpret_cast<BlockHeader*>(again) - 1;
    if (header->state != BlockHeader::State::free)
      damaged("earl: Earl's heap is damaged (written after free)\n");
    header->state = BlockHeader::State::used;
    in_use_ += size_of(size_class);
    return again;
  }
  auto* const fresh = cut(sizeof(BlockHeader) + size_of(size_class));
  return fresh ? begin_block(fresh, size_class) : nullptr;
}

void Arena::release(void* block) {
  auto* const header = static_cast<BlockHeader*>(block) - 1;
  if (header->state != BlockHeader::State::used)
    damaged("earl: Earl's heap is damaged (freed twice)\n");
  header->state = BlockHeader::State::free;
  in_use_ -= room_of(*header);
  if (header->is_large()) return runs_.release(Run::at(header));
  auto* const freed = static_cast<FreeBlock*>(block);
  *freed = {.next = free_lists_[header->size_class]};
  free_lists_[header->size_class] = freed;
}

/// In a child forked while another thread allocates, the arena must be whole and unlocked.
[[gnu::constructor]] void lock_while_forking() {
  constexpr auto lock = [] {
    if (__libc_single_threaded == 0) arena.mutex().lock();
  };
  constexpr auto unlock = [] {
    if (__libc_single_threaded == 0) arena.mutex().unlock();
  };
  ::pthread_atfork(lock, unlock, unlock);
}

/// The program's function of that name, also where a library replaces the C library's.
template <class Function>
Function* of_program(std::atomic<Function*>& known, char const* name) {
  auto* function = known.load(std::memory_order_relaxed);
  if (!function) {
    int const error = errno;
    function = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
    errno = error;
    if (!function) damaged("earl: the program has no malloc, free or realloc\n");
    known.store(function, std::memory_order_relaxed);
  }
  return function;
}

constinit std::atomic<void* (*)(std::size_t)> found_malloc{nullptr};
constinit std::atomic<void* (*)(void*, std::size_t)> found_realloc{nullptr};
constinit std::atomic<void (*)(void*)> found_free{nullptr};

}  // namespace

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  bool const usual = alignment <= usual_alignment;
  if (size > most_size || (!usual && (!std::has_single_bit(alignment) ||
                                      alignment > most_size / 2 || size > most_size - alignment)))
    return nullptr;
  Guard const guard;
  if (usual) return arena.allocate(size);
  // With room for a second header before the aligned address.
  auto* const block = static_cast<std::byte*>(arena.allocate(size + alignment));
  if (!block) return nullptr;
  auto const at = reinterpret_cast<std::uintptr_t>(block);
  auto const shift = round_up(at, alignment) - at;
  if (shift == 0) return block;
  auto* const header = reinterpret_cast<BlockHeader*>(block + shift) - 1;
  *header = {.state = BlockHeader::State::used, .size_class = 0, .shift = shift};
  return block + shift;
}

void release(void* block) noexcept {
  auto* const header = static_cast<BlockHeader*>(block) - 1;
  auto const shift = header->shift;
  if (shift != 0) header->state = BlockHeader::State::free;
  Guard const guard;
  arena.release(static_cast<std::byte*>(block) - shift);
}

bool owns(void const* block) noexcept { return arena.owns(block); }

Usage usage() noexcept {
  Guard const guard;
  return arena.usage();
}

std::size_t usable_size(void const* block) noexcept {
  auto const* const header = static_cast<BlockHeader const*>(block) - 1;
  auto const* const first = reinterpret_cast<BlockHeader const*>(
      reinterpret_cast<std::byte const*>(header) - header->shift);
  return room_of(*first) - header->shift;
}

void use_program_heap(ProgramHeap const& heap) noexcept {
  found_malloc = heap.malloc;
  found_realloc = heap.realloc;
  found_free = heap.free;
}

void* program_malloc(std::size_t size) noexcept { return of_program(found_malloc, "malloc")(size); }

void* program_realloc(void* block, std::size_t size) noexcept {
  return of_program(found_realloc, "realloc")(block, size);
}

void program_free(void* block) noexcept { of_program(found_free, "free")(block); }

}  // namespace earl::heap
