// SPDX-License-Identifier: BSD-3-Clause
/// Functions of the C library that ranks get another version of: those that know one process only.
#pragma once

#include <span>
#include <string_view>

namespace earl::fibers {

struct Hook {
  std::string_view name;
  void* function;
};

/// By chapter; a program's reference to the name gets the function.
std::span<Hook const> process_hooks();
std::span<Hook const> signal_hooks();
std::span<Hook const> environment_hooks();
std::span<Hook const> thread_hooks();
std::span<Hook const> time_hooks();
std::span<Hook const> timer_hooks();
std::span<Hook const> file_hooks();
std::span<Hook const> memory_hooks();
std::span<Hook const> heap_hooks();
std::span<Hook const> lookup_hooks();
/// The calls of forbidden.hpp: they end the rank.
std::span<Hook const> forbidden_hooks();

/// Null: the C library's own will do.
void* find_hook(std::string_view name);

/// A row of one of the tables. The type is erased as the system's loader does.
template <class Result, class... Arguments>
Hook hook(std::string_view name, Result (*function)(Arguments...)) {
  return {name, reinterpret_cast<void*>(function)};
}
template <class Result, class... Arguments>
Hook hook(std::string_view name, Result (*function)(Arguments..., ...)) {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace earl::fibers
