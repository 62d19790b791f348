// SPDX-License-Identifier: BSD-3-Clause
/// A tool's shared library: what it must be, and how it is loaded.
#pragma once

#include <string>
#include <string_view>

struct earl_tool_table;

namespace earl::outside {

/// The object that makes a shared library a tool (earl/tool.h).
inline constexpr std::string_view table_symbol = "earl_tool";

/// Loads it, once in a process, for good. Throws Error with the reason when it is no tool for this
/// Earl.
earl_tool_table const& load(std::string const& path);

/// Why no process can load it; empty: it can. It is tried in a child, which bears what the library
/// does when it is loaded.
std::string objection_to_tool(std::string const& path);

}  // namespace earl::outside
