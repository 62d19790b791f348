// SPDX-License-Identifier: BSD-3-Clause
/// Modules that are linked with a library which Earl can be built without.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"

namespace earl {

template <class Table>
struct OptionalModule {
  Table const* table = nullptr;
  std::string failure{};  ///< why there is none
};

/// Loads the module `name`, which is made in `folder` of the tree and linked with `library`, for
/// good, and finds its table `symbol`.
template <class Table>
OptionalModule<Table> load_module(std::string const& folder, std::string_view name,
                                  std::string_view library, char const* symbol, int version) {
  try {
    auto path = find_part(folder, name);
    // Unit tests contain this code themselves, in a folder one deeper.
    if (path.empty()) path = find_part("../" + folder, name);
    if (path.empty()) return {.failure = fmt::format("this Earl was built without {}", library)};
    return {.table = &load_table<Table>(path, symbol, version, 0)};
  } catch (Error const& error) {
    return {.failure = error.what()};
  }
}

}  // namespace earl
