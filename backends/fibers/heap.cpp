// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/heap.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <cstring>
#include <utility>

namespace earl::fibers {

namespace {

using heap::round_up;

/// A free address range: below the system's mappings, which include the C library's heap.
constexpr std::uintptr_t first_slot = 0x1100'0000'0000;
constexpr std::uintptr_t last_slot = 0x5000'0000'0000;
constexpr std::uintptr_t slot_size = std::uintptr_t{4} << 30;
constexpr std::size_t slots = (last_slot - first_slot) / slot_size;
/// In a job that has spawned more ranks than that, those of a slot live one after another if the
/// job has so many places at most, as it does unless its user asks for more.
constexpr std::size_t reused_slots = 8192;
static_assert(reused_slots <= slots);

constexpr std::size_t slot_for(Rank rank) {
  return index(rank) < slots ? index(rank) : index(rank) % reused_slots;
}

/// By slot.
RankHeap* living[slots] = {};

inline std::size_t slot_with(void const* address) {
  return (reinterpret_cast<std::uintptr_t>(address) - first_slot) / slot_size;
}
/// From a slot's beginning, so that a rank which needs little gets no huge page.
constexpr std::uintptr_t margin = 1 << 20;
/// Blocks from this size on are zero again after a release, as most are with the system's malloc.
constexpr std::size_t large = 128 << 10;

/// A part of it for each rank would soon be all.
bool address_space_is_limited() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

/// Releases the block's whole pages.
void clear(std::uintptr_t from, std::uintptr_t to) {
  auto const first = round_up(from, page);
  auto const last = to & ~(page - 1);
  std::memset(reinterpret_cast<void*>(from), 0, first - from);
  std::memset(reinterpret_cast<void*>(last), 0, to - last);
  ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace

/// Before each block. One with a larger alignment has another before the address that the program
/// has.
struct alignas(usual_alignment) RankHeap::Header {
  static constexpr std::uint32_t used = 0x7573'6564U, free = 0x6672'6565U;
  std::uint32_t state;
  std::uint32_t size_class;
  union {
    std::size_t shift;  ///< of a used one: bytes from the block's first address to the program's
    Header* next;       ///< of a free one
  };
};

RankHeap::RankHeap(Rank rank) {
  auto const slot = first_slot + slot_for(rank) * slot_size;
  if (address_space_is_limited()) return;
  auto* const wanted = reinterpret_cast<void*>(slot + margin);
  void* const memory =
      ::mmap(wanted, slot_size - margin, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED) return;
  // To a kernel that does not know it, the last flag is only a hint.
  if (memory != wanted) {
    ::munmap(memory, slot_size - margin);
    return;
  }
  start_ = next_ = slot + margin;
  end_ = slot + slot_size;
  living[slot_for(rank)] = this;
}

RankHeap::~RankHeap() {
  if (start_ == 0) return;
  living[slot_with(reinterpret_cast<void*>(start_))] = nullptr;
  ::munmap(reinterpret_cast<void*>(start_), end_ - start_);
}

bool RankHeap::holds(void const* address) { return slot_with(address) < slots; }

RankHeap* RankHeap::at(void const* address) {
  return holds(address) ? living[slot_with(address)] : nullptr;
}

RankHeap::Header* RankHeap::header_of(void const* memory) {
  return static_cast<Header*>(const_cast<void*>(memory)) - 1;
}

RankHeap::Header* RankHeap::take(std::size_t size_class, bool& fresh) {
  auto const size = heap::size_of(size_class);
  auto* header = free_[size_class];
  fresh = !header;
  if (header) {
    free_[size_class] = header->next;
  } else {
    if (end_ - next_ < sizeof(Header) + size) return nullptr;
    header = reinterpret_cast<Header*>(next_);
    next_ += sizeof(Header) + size;
  }
  header->state = Header::used;
  header->size_class = static_cast<std::uint32_t>(size_class);
  header->shift = 0;
  return header;
}

RankHeap::Block RankHeap::allocate(std::size_t size, std::size_t alignment) {
  // With room for a second header before the aligned address.
  auto const more = alignment <= usual_alignment ? 0 : alignment;
  if (size >= slot_size || more >= slot_size) return {};
  bool fresh = false;
  auto const size_class = heap::class_of(size + more);
  auto* const first = take(size_class, fresh);
  if (!first) return {};
  bool const zero = fresh || heap::size_of(size_class) >= large;
  auto const at = reinterpret_cast<std::uintptr_t>(first + 1);
  auto const shift = more == 0 ? 0 : round_up(at, alignment) - at;
  auto* const memory = reinterpret_cast<void*>(at + shift);
  if (shift != 0) {
    auto* const second = header_of(memory);
    second->state = Header::used;
    second->shift = shift;
  }
  return {memory, zero};
}

bool RankHeap::is_block(Header const* header) const {
  auto const at = reinterpret_cast<std::uintptr_t>(header);
  return at % usual_alignment == 0 && at >= start_ && at < next_ && header->state == Header::used &&
         header->shift <= at - start_;
}

bool RankHeap::release(void* memory) {
  auto* header = header_of(memory);
  if (!is_block(header)) return false;
  if (auto const shift = header->shift; shift != 0) {
    header->state = Header::free;
    header = header_of(static_cast<std::byte*>(memory) - shift);
    if (!is_block(header)) return false;
  }
  auto const size = heap::size_of(header->size_class);
  auto const at = reinterpret_cast<std::uintptr_t>(header + 1);
  if (size >= large) clear(at, at + size);
  header->state = Header::free;
  header->next = std::exchange(free_[header->size_class], header);
  return true;
}

std::size_t RankHeap::usable_size(void const* memory) {
  auto const shift = header_of(memory)->shift;
  auto const* const first = header_of(static_cast<std::byte const*>(memory) - shift);
  return heap::size_of(first->size_class) - shift;
}

}  // namespace earl::fibers
