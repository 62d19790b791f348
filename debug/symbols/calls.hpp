// SPDX-License-Identifier: BSD-3-Clause
/// From a return address to calls, as the source has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace earl::symbols {

/// A call in a program, as its source has it.
struct SourceCall {
  std::string function;  ///< empty: unknown
  std::string line;      ///< "file:line", or "module+offset" when nothing better is known
};

/// The calls at the return address `offset`: the one there, preceded by those that the compiler
/// merged into that code, innermost first. Never empty.
std::vector<SourceCall> calls_at(std::string const& path, std::uint64_t offset);
std::string to_text(SourceCall const& call);

}  // namespace earl::symbols
