// SPDX-License-Identifier: BSD-3-Clause
/// The modules of this folder, which are linked with libdw and libunwind.
#pragma once

#include <string>
#include <string_view>

#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::symbols {

template <class Table>
struct LoadedModule {
  Table const* table = nullptr;
  std::string failure{};  ///< why there is none
};

/// Loads the module `name`, linked with `library`, for good, and finds its table `symbol`.
template <class Table>
LoadedModule<Table> load_module(std::string_view name, std::string_view library, char const* symbol,
                                int version) {
  try {
    auto path = find_part("debug/symbols", name);
    // Unit tests contain this code themselves, in a folder one deeper.
    if (path.empty()) path = find_part("../debug/symbols", name);
    if (path.empty()) return {.failure = fmt::format("this Earl was built without {}", library)};
    return {.table = &load_table<Table>(path, symbol, version, 0)};
  } catch (Error const& error) {
    return {.failure = error.what()};
  }
}

}  // namespace earl::symbols
