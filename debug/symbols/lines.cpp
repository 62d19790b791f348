// SPDX-License-Identifier: BSD-3-Clause
#include <cxxabi.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <span>

#include "debug/symbols/calls.hpp"
#include "debug/symbols/libdw.h"
#include "debug/symbols/modules.hpp"
#include "generic/base/error.hpp"
#include "generic/system/optional_module.hpp"

namespace earl::symbols {

namespace {

/// Loaded at the first line: no process of a healthy run pays for it.
OptionalModule<EarlLibdwTable> const& libdw() {
  static auto const loaded = load_module<EarlLibdwTable>("debug/symbols", "earl-libdw.so", "libdw",
                                                         "earl_libdw", earl_libdw_version);
  return loaded;
}

constexpr std::size_t most_merged = 8;

std::string_view base_name(std::string_view path) {
  auto const slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// A C++ function's name without its arguments; without what the compiler adds to the names of
/// parts of a function (work.cold, work.part.0).
std::string plain_name(std::string const& name) {
  if (!name.starts_with("_Z")) return name.substr(0, name.find('.', 1));
  int failed = 0;
  char* const whole = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &failed);
  if (failed != 0 || whole == nullptr) return name;
  std::string plain = whole;
  std::free(whole);
  constexpr std::string_view nameless = "(anonymous namespace)::";
  for (auto at = plain.find(nameless); at != plain.npos; at = plain.find(nameless))
    plain.erase(at, nameless.size());
  return plain.substr(0, plain.find('('));
}

/// Empty: unknown.
std::string line_in(EarlLibdwPlace const& place) {
  return place.line > 0 ? fmt::format("{}:{}", base_name(place.file), place.line) : std::string{};
}

}  // namespace

std::string lines_unavailable() { return libdw().failure; }

std::vector<SourceCall> calls_at(std::string const& path, std::uint64_t offset) {
  std::array<EarlLibdwPlace, most_merged> places;
  // A return address is behind the call; one byte back is in it.
  auto const count = offset != 0 && libdw().table
                         ? libdw().table->find(path.c_str(), offset - 1, places.data(), most_merged)
                         : 0;
  std::vector<SourceCall> calls;
  for (auto const& place : std::span{places}.first(count))
    calls.push_back({.function = plain_name(place.function), .line = line_in(place)});
  if (calls.empty()) calls.emplace_back();
  for (auto& call : calls)
    if (call.line.empty()) call.line = fmt::format("{}+{:#x}", base_name(path), offset);
  return calls;
}

std::string to_text(SourceCall const& call) {
  return call.function.empty() ? call.line : call.function + " at " + call.line;
}

std::string line_of(std::string const& path, std::uint64_t offset) {
  return calls_at(path, offset).front().line;
}

std::string function_of(std::string const& path, std::uint64_t offset) {
  return calls_at(path, offset).back().function;
}

}  // namespace earl::symbols
