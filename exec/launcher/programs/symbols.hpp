// SPDX-License-Identifier: BSD-3-Clause
/// The names an ELF file takes from others and gives to them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "generic/base/bytes.hpp"

namespace earl::exec {

struct Symbols {
  std::set<std::string> imports;
  std::set<std::string> exports;
  /// The exports that only say they are not there yet (frontends/common/stub.hpp).
  std::set<std::string> stubs;

  void merge(Symbols more);
};

/// from a file for this architecture; damaged tables count as empty, never as an error.
Symbols symbols_of(Bytes file);

/// The names that a file that is not linked takes from others: of an object, or of all objects of
/// an archive together. Damaged tables count as empty, never as an error.
std::set<std::string> imports_of_unlinked(Bytes file);

}  // namespace earl::exec
