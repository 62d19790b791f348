// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/thread_locals.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "generic/base/round_up.hpp"

#if defined(__x86_64__)
#include "backends/fibers/thread_locals_x86_64.hpp"
#elif defined(__aarch64__)
#include "backends/fibers/thread_locals_aarch64.hpp"
#endif

namespace earl::fibers {

namespace {

constexpr std::size_t least_alignment = 16;
constexpr std::size_t room_alignment = 4096;  // exec/runtime/thread_local_room.c

std::size_t alignment_of(Segment const& segment) {
  return std::max(least_alignment, std::size_t{segment.p_align});
}

std::byte* thread_pointer() { return static_cast<std::byte*>(__builtin_thread_pointer()); }

/// Up to the thread pointer, where programs for this machine have their variables; empty: this
/// process is not `earl`, or there is something else.
std::span<std::byte> room() {
  if (!below_thread_pointer) return {};
  auto* const start = static_cast<std::byte*>(::dlsym(RTLD_DEFAULT, "earl_thread_local_room"));
  auto const* const size =
      static_cast<unsigned long const*>(::dlsym(RTLD_DEFAULT, "earl_thread_local_room_size"));
  if (start && size && start + *size == thread_pointer()) return {start, *size};
  return {};
}

std::size_t distance(Segment const& segment) {
  return round_up(segment.p_memsz, std::max(std::size_t{segment.p_align}, std::size_t{1}));
}

}  // namespace

std::string objection_to_thread_locals(Image const& program) {
  auto const* const segment = program.thread_local_data();
  if (!segment) return {};
  auto const size = room().size();
  if (distance(*segment) > size)
    return fmt::format(
        "{} has {} bytes of thread-local variables of its own; its ranks have room for {}",
        program.path(), segment->p_memsz, size);
  if (segment->p_align > room_alignment)
    return fmt::format(
        "{} has thread-local variables aligned to {} bytes; its ranks can have up to {} bytes",
        program.path(), segment->p_align, room_alignment);
  if (segment->p_align != 0 && segment->p_vaddr % segment->p_align != 0)
    return fmt::format(
        "{} has its thread-local variables at {:#x}, which is no multiple of their alignment ({})",
        program.path(), segment->p_vaddr, segment->p_align);
  return {};
}

ThreadLocals::ThreadLocals(std::vector<std::unique_ptr<Image>> const& images) {
  std::size_t size = 0;
  for (auto const& image : images)
    if (auto const* const segment = image->thread_local_data())
      size += segment->p_memsz + 2 * alignment_of(*segment);
  memory_ = std::make_unique<std::byte[]>(size);
  auto free = reinterpret_cast<std::uintptr_t>(memory_.get());
  for (auto const& image : images) {
    auto const* const segment = image->thread_local_data();
    if (!segment) {
      blocks_.push_back(0);
      continue;
    }
    auto const alignment = alignment_of(*segment);
    blocks_.push_back(round_up(free, alignment) + segment->p_vaddr % alignment);
    free = blocks_.back() + segment->p_memsz;
  }
  auto const* const segment = images.front()->thread_local_data();
  if (!segment) return;
  of_program_ = {.place = thread_pointer() - distance(*segment),
                 .saved = reinterpret_cast<std::byte*>(blocks_.front()),
                 .size = segment->p_memsz};
  blocks_.front() = reinterpret_cast<std::uintptr_t>(of_program_.place);
}

void ThreadLocals::fill(std::vector<std::unique_ptr<Image>> const& images,
                        std::vector<std::uintptr_t> const& bases) {
  for (std::size_t i = 0; i < images.size(); ++i) {
    auto const* const segment = images[i]->thread_local_data();
    if (!segment) continue;
    auto* const block = i == 0 ? of_program_.saved : reinterpret_cast<std::byte*>(blocks_[i]);
    std::memcpy(block, reinterpret_cast<void const*>(bases[i] + segment->p_vaddr),
                segment->p_filesz);
  }
}

}  // namespace earl::fibers
