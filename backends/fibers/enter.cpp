// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/enter.hpp"

#include <alloca.h>
#include <elf.h>
#include <unistd.h>

#include <cstring>

#if defined(__x86_64__)
#include "backends/fibers/jump_x86_64.hpp"
#elif defined(__aarch64__)
#include "backends/fibers/jump_aarch64.hpp"
#endif

namespace earl::fibers {

namespace {

/// The initial contents of a process stack's top: count, arguments, environment, auxiliary values.
std::vector<std::uintptr_t> initial_stack(RankFiber& rank) {
  std::vector<std::uintptr_t> words{rank.launch.arguments.size()};
  auto const add = [&](void const* word) {
    words.push_back(reinterpret_cast<std::uintptr_t>(word));
  };
  for (auto const& argument : rank.launch.arguments) add(argument.c_str());
  add(nullptr);
  for (char** entry = rank.environment; *entry; ++entry) add(*entry);
  add(nullptr);
  words.insert(words.end(), {AT_PAGESZ, 4096, AT_NULL, 0});
  return words;
}

/// On the stack itself, where start code looks for it. Nothing above it needs to be cleaned up. The
/// used part of the stack below is zeroed again: programs that read uninitialised memory have found
/// zero there.
[[noreturn]] void jump_with(std::uintptr_t entry, std::vector<std::uintptr_t>* words) {
  constexpr std::size_t alignment = 16;
  constexpr std::size_t used = 8 * 1024;
  auto const size = words->size() * sizeof(std::uintptr_t);
  auto* const room = alloca(used + size + alignment);
  std::memset(room, 0, used);
  auto const free = reinterpret_cast<std::uintptr_t>(room) + used;
  auto* const stack = reinterpret_cast<void*>((free + alignment - 1) / alignment * alignment);
  std::memcpy(stack, words->data(), size);
  delete words;
  jump(entry, stack);
}

}  // namespace

void enter_program(RankFiber& rank) {
  jump_with(rank.copy->entry(), new std::vector<std::uintptr_t>(initial_stack(rank)));
}

}  // namespace earl::fibers
