// SPDX-License-Identifier: BSD-3-Clause
// Memory as the native library allocates it internally: counted blocks for the data of messages,
// and blocks that it checks. From the program's malloc, as in PVM.
#include <cstdlib>

#include "frontends/pvm3/call.hpp"
#include "generic/system/heap.hpp"

using namespace earl;

namespace {

constexpr int status_of_abort = 128 + 6;

/// In front of a counted block.
struct alignas(16) Head {
  int holders = 1;
};

Head* head_of(char* block) { return reinterpret_cast<Head*>(block - sizeof(Head)); }

}  // namespace

extern "C" {

/// A block with one holder.
char* da_new(int bytes) {
  if (bytes < 0) return nullptr;
  auto* const memory =
      static_cast<char*>(heap::program_malloc(sizeof(Head) + static_cast<std::size_t>(bytes)));
  if (!memory) return nullptr;
  ::new (memory) Head;
  return memory + sizeof(Head);
}

void da_ref(char* block) { ++head_of(block)->holders; }

/// The last holder frees it.
void da_unref(char* block) {
  auto* const head = head_of(block);
  if (--head->holders <= 0) heap::program_free(head);
}

// Not checked here; i_dump would list them.
void* i_malloc(std::size_t bytes, char const* /*key*/) { return heap::program_malloc(bytes); }
void* i_realloc(void* block, std::size_t bytes) { return heap::program_realloc(block, bytes); }
void i_free(void* block) { heap::program_free(block); }

/// A caller that finds a damaged block ends the program.
void i_choke(void) {
  if (auto* const me = boot::process()) me->end(status_of_abort, "libpvm: i_choke()");
}

}  // extern "C"
