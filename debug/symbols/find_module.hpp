// SPDX-License-Identifier: BSD-3-Clause
/// The modules of this folder, which are linked with libdw and libunwind.
#pragma once

#include <string>
#include <string_view>

#include "generic/system/installed_files.hpp"

namespace earl::trace {

/// The path of a module; empty: this Earl was built without it. Throws Error as find_part() does.
inline std::string find_module(std::string_view name) {
  auto path = find_part("debug/symbols", name);
  // Unit tests contain this code themselves, in a folder one deeper.
  return path.empty() ? find_part("../debug/symbols", name) : path;
}

}  // namespace earl::trace
