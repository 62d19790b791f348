// SPDX-License-Identifier: BSD-3-Clause
/// Symbol lookups that a program makes while it runs (dlsym and its like).
#include <dlfcn.h>

#include "backends/fibers/here.hpp"
#include "backends/fibers/hooks.hpp"

namespace earl::fibers {

namespace {

/// The system's loader knows no rank's copies: it would answer for the shared process.
void* find_in_rank(void* where, char const* name, void const* asker) {
  auto const& copy = *me().copy;
  auto const place = copy.place_of(reinterpret_cast<std::uintptr_t>(asker));
  bool const anywhere = where == RTLD_DEFAULT || !place.image;
  return copy.symbol(name, anywhere ? std::nullopt : std::optional{place.index});
}

bool names_scope(void* where) { return where == RTLD_DEFAULT || where == RTLD_NEXT; }

void* find_symbol(void* where, char const* name) {
  if (!names_scope(where)) return ::dlsym(where, name);
  return find_in_rank(where, name, __builtin_extract_return_addr(__builtin_return_address(0)));
}

/// The default one of several versions.
void* find_version(void* where, char const* name, char const* version) {
  if (!names_scope(where)) return ::dlvsym(where, name, version);
  return find_in_rank(where, name, __builtin_extract_return_addr(__builtin_return_address(0)));
}

}  // namespace

std::span<Hook const> lookup_hooks() {
  static Hook const table[] = {hook("dlsym", find_symbol), hook("dlvsym", find_version)};
  return table;
}

}  // namespace earl::fibers
