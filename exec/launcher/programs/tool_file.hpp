// SPDX-License-Identifier: BSD-3-Clause
/// Files that --tool names: libraries that are loaded into the processes of a job.
#pragma once

#include <string>
#include <string_view>

#include "exec/launcher/layout.hpp"
#include "exec/launcher/plan.hpp"

namespace earl::exec {

enum class ToolFileKind {
  tool,      ///< of the user's own, written against earl/tool.h
  job_tool,  ///< one with a half in EXEC, written against earl/job_tool.h
  wrapper,   ///< defines calls of a front end, and calls the wrapped ones
};

/// Whether the argument of --tool is a file ("./a.so"), and not the name of a debugger.
bool names_file(std::string_view tool);

/// "FILE" or "FILE:ARGUMENT"; the first colon that does not belong to a file's name ends it.
ToolFile parse_tool_file(std::string const& text);

/// The kind of a tool's file, by its exports. Throws UsageError when it is missing or no tool.
ToolFileKind classify_tool_file(std::string const& path, Layout const& layout);

/// Puts each file of `plan.tool_files` where its kind belongs: tools behind all other debuggers, so
/// that a recorder sees the program's own requests. Throws UsageError.
void apply_tool_files(Plan& plan, Layout const& layout);

}  // namespace earl::exec
