// SPDX-License-Identifier: BSD-3-Clause
/// A tool's shared library: its requirements, and how it is loaded.
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

/// The reason why no process can load it; empty: it can be loaded. A child process tries it, so
/// that effects of loading the library stay in the child.
std::string objection_to_tool(std::string const& path);

}  // namespace earl::outside
