// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/programs/calls.hpp"

#include <algorithm>
#include <iterator>

#include "exec/launcher/programs/programs.hpp"
#include "exec/launcher/programs/symbols.hpp"
#include "generic/system/mapped_file.hpp"

namespace earl::exec {

namespace {

/// What all libraries of the front end export, as they are installed here.
Symbols library_symbols(FrontEnd const& front_end, Layout const& layout) {
  Symbols all;
  for (auto const library : front_end.libraries) {
    if (library.empty()) continue;
    auto const versioned = library.find(".so") != std::string_view::npos;
    auto const path = find_library(versioned ? std::string(library) : std::string(library) + ".so",
                                   layout.libraries);
    if (!path.empty()) all.merge(symbols_of(MappedFile(path).bytes()));
  }
  return all;
}

CallsOf calls_of(FrontEnd const& front_end, std::set<std::string> const& names,
                 Layout const& layout) {
  CallsOf found{.front_end = &front_end};
  auto const library = library_symbols(front_end, layout);
  std::ranges::set_intersection(names, library.exports, std::back_inserter(found.calls));
  std::ranges::set_intersection(names, library.stubs, std::back_inserter(found.stubs));
  return found;
}

}  // namespace

CallsOf calls_among(std::set<std::string> const& names, Layout const& layout) {
  CallsOf best;
  for (auto const& front_end : front_ends()) {
    auto const found = calls_of(front_end, names, layout);
    if (found.calls.size() > best.calls.size()) best = found;
  }
  return best;
}

}  // namespace earl::exec
