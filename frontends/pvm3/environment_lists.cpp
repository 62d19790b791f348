// SPDX-License-Identifier: BSD-3-Clause
// Lists of variables as execve() takes them, in memory of their own.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "generic/system/heap.hpp"

namespace heap = earl::heap;

namespace {

std::size_t length_of(char* const* list) {
  std::size_t length = 0;
  while (list[length]) ++length;
  return length;
}

std::string_view name_in(std::string_view setting) { return setting.substr(0, setting.find('=')); }

/// Where the variable of that name is in the list, else its end.
std::size_t find(char* const* list, std::string_view name) {
  std::size_t i = 0;
  while (list[i] && name_in(list[i]) != name) ++i;
  return i;
}

/// The program may free it.
char* copy_of(char const* text) {
  auto const size = std::strlen(text) + 1;
  auto* const copy = static_cast<char*>(heap::program_malloc(size));
  if (copy) std::memcpy(copy, text, size);
  return copy;
}

}  // namespace

extern "C" {

/// A copy; null: no memory.
char** pvmcopyenv(char* const* list) {
  auto const length = length_of(list);
  auto** const copy = static_cast<char**>(heap::program_malloc((length + 1) * sizeof(char*)));
  if (!copy) return nullptr;
  std::fill(copy, copy + length + 1, nullptr);
  for (std::size_t i = 0; i < length; ++i) copy[i] = copy_of(list[i]);
  return copy;
}

int pvmfreeenv(char** list) {
  for (char** one = list; *one; ++one) heap::program_free(*one);
  heap::program_free(list);
  return 0;
}

/// Puts a copy of "NAME=value" into the list, in the place of its like. -1: it is no such text, or
/// there is no memory.
int pvmenvinsert(char*** list, char const* setting) {
  if (!std::strchr(setting, '=')) return -1;
  auto const at = find(*list, name_in(setting));
  bool const more = !(*list)[at];
  if (more) {
    auto** const longer =
        static_cast<char**>(heap::program_realloc(*list, (at + 2) * sizeof(char*)));
    if (!longer) return -1;
    *list = longer;
    longer[at] = longer[at + 1] = nullptr;
  }
  char* const copy = copy_of(setting);
  if (!copy) return -1;
  heap::program_free(std::exchange((*list)[at], copy));
  return 0;
}

}  // extern "C"
