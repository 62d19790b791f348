// SPDX-License-Identifier: BSD-3-Clause
#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>

#include "debug/symbols/libdw.h"
#include "debug/symbols/modules.hpp"
#include "generic/base/error.hpp"
#include "generic/system/installed_files.hpp"

namespace earl::trace {

namespace {

struct Libdw {
  EarlLibdwTable const* table = nullptr;
  std::string failure{};  ///< why there is none
};

Libdw load_libdw() {
  try {
    auto const path = find_part("debug/symbols", "earl-libdw.so");
    if (path.empty()) return {.failure = "this Earl was built without libdw"};
    return {.table = &load_table<EarlLibdwTable>(path, "earl_libdw", earl_libdw_version, 0)};
  } catch (Error const& error) {
    return {.failure = error.what()};
  }
}

/// Loaded at the first line: no process of a healthy run pays for it.
Libdw const& libdw() {
  static Libdw const loaded = load_libdw();
  return loaded;
}

std::string_view base_name(std::string_view path) {
  auto const slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// A return address is behind the call; one byte back is in it.
EarlLibdwPlace place_of(std::string const& path, std::uint64_t offset) {
  EarlLibdwPlace place{};
  if (offset != 0 && libdw().table) libdw().table->find(path.c_str(), offset - 1, &place);
  return place;
}

/// A function's name as C++ has it, without its arguments.
std::string plain_name(std::string const& mangled) {
  int failed = 0;
  char* const whole = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &failed);
  if (failed != 0 || whole == nullptr) return mangled;
  std::string_view const text = whole;
  std::string name{text.substr(0, text.find('('))};
  std::free(whole);
  return name;
}

}  // namespace

std::string lines_unavailable() { return libdw().failure; }

std::string line_of(std::string const& path, std::uint64_t offset) {
  auto const place = place_of(path, offset);
  if (place.line > 0) return fmt::format("{}:{}", base_name(place.file), place.line);
  return fmt::format("{}+{:#x}", base_name(path), offset);
}

std::string function_of(std::string const& path, std::uint64_t offset) {
  std::string name = place_of(path, offset).function;
  if (name.starts_with("_Z")) return plain_name(name);
  // The compiler's parts of a function bear its name: work.cold, work.part.0.
  return name.substr(0, name.find('.', 1));
}

}  // namespace earl::trace
