// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/children/addresses.hpp"

#include <sys/personality.h>

#include <algorithm>

#include "debug/registry.hpp"

namespace earl::exec {

namespace {

constexpr unsigned long no_change = 0xffff'ffff;

}  // namespace

bool fix_addresses() {
  int const now = ::personality(no_change);
  if (now == -1) return false;
  if ((now & ADDR_NO_RANDOMIZE) != 0) return true;
  return ::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) != -1 &&
         (::personality(no_change) & ADDR_NO_RANDOMIZE) != 0;
}

bool can_fix_addresses() {
  int const before = ::personality(no_change);
  bool const can = fix_addresses();
  if (before != -1) ::personality(static_cast<unsigned long>(before));
  return can;
}

bool ask_fixed_addresses(std::span<control::ToolUse const> tools) {
  return std::ranges::any_of(tools, [](auto const& use) {
    auto const* const tool = find_tool(use.name);
    return tool && tool->fixed_addresses;
  });
}

}  // namespace earl::exec
