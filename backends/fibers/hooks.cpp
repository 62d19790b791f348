// SPDX-License-Identifier: BSD-3-Clause
#include "backends/fibers/hooks.hpp"

#include <algorithm>

namespace earl::fibers {

void* find_hook(std::string_view name) {
  for (auto const table : {process_hooks(), signal_hooks(), environment_hooks(), thread_hooks(),
                           time_hooks(), timer_hooks(), file_hooks(), memory_hooks(), heap_hooks(),
                           lookup_hooks(), forbidden_hooks()})
    if (auto const found = std::ranges::find(table, name, &Hook::name); found != table.end())
      return found->function;
  return nullptr;
}

}  // namespace earl::fibers
