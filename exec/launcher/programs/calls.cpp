// SPDX-License-Identifier: BSD-3-Clause
#include "exec/launcher/programs/calls.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "exec/launcher/programs/programs.hpp"
#include "generic/system/mapped_file.hpp"

namespace earl::exec {

namespace {

/// The exports of all libraries of the front end, as they are installed here.
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

}  // namespace

void add_calls(std::set<std::string> const& names, Symbols const& library,
               std::vector<std::string>& calls, std::vector<std::string>& stubs) {
  std::ranges::set_intersection(names, library.exports, std::back_inserter(calls));
  std::ranges::set_intersection(names, library.stubs, std::back_inserter(stubs));
}

CallsOf CallTables::among(std::set<std::string> const& names) {
  if (tables_.empty())
    for (auto const& front_end : front_ends())
      tables_.push_back({&front_end, library_symbols(front_end, layout_)});
  CallsOf best;
  for (auto const& table : tables_) {
    CallsOf found{.front_end = table.front_end};
    add_calls(names, table.library, found.calls, found.stubs);
    if (found.calls.size() > best.calls.size()) best = std::move(found);
  }
  return best;
}

}  // namespace earl::exec
