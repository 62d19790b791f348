// SPDX-License-Identifier: BSD-3-Clause
/// A tool's shared library: its requirements, and how it is loaded.
#pragma once

#include <string>
#include <string_view>

struct earl_tool_table;
struct earl_job_table;

namespace earl::outside {

/// The objects that make a shared library a tool: its half in ranks (earl/tool.h), and its half in
/// EXEC (earl/job_tool.h).
inline constexpr std::string_view table_symbol = "earl_tool";
inline constexpr std::string_view job_table_symbol = "earl_job_tool";

/// The longest time that loading a library may take, and a call of its half in EXEC.
inline constexpr unsigned most_seconds = 10;

/// The halves of a library; null: it has no such half.
struct Library {
  earl_tool_table const* in_rank = nullptr;
  earl_job_table const* in_exec = nullptr;
};

/// Loads it, once in a process, for good. Throws Error with the reason when it is no tool for this
/// Earl.
Library load(std::string const& path);

/// The reason why no process can load it; empty: it can be loaded. A child process tries it, so
/// that effects of loading the library stay in the child.
std::string objection_to_tool(std::string const& path);

}  // namespace earl::outside
