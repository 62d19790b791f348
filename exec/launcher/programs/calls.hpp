// SPDX-License-Identifier: BSD-3-Clause
/// The front end of a set of names: for files that are not linked yet.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "exec/launcher/front_ends.hpp"
#include "exec/launcher/layout.hpp"
#include "exec/launcher/programs/symbols.hpp"

namespace earl::exec {

struct CallsOf {
  FrontEnd const* front_end = nullptr;  ///< null: none has any of the names
  std::vector<std::string> calls{};     ///< those of the names that it has, sorted
  std::vector<std::string> stubs{};     ///< those of the calls that are not there yet
};

/// The calls of all front ends, read from their libraries when they are asked for.
class CallTables {
 public:
  explicit CallTables(Layout const& layout) : layout_(layout) {}

  /// The front end that has most of the names.
  CallsOf among(std::set<std::string> const& names);

 private:
  struct Table {
    FrontEnd const* front_end = nullptr;
    Symbols library{};
  };

  Layout const& layout_;
  std::vector<Table> tables_{};
};

/// Adds those of `names` that a library exports to `calls`, and its stubs among them to `stubs`.
void add_calls(std::set<std::string> const& names, Symbols const& library,
               std::vector<std::string>& calls, std::vector<std::string>& stubs);

}  // namespace earl::exec
