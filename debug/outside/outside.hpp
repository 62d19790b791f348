// SPDX-License-Identifier: BSD-3-Clause
/// Tools that are shared libraries of the user's own, written against earl/tool.h.
#pragma once

#include "generic/seams/tool.hpp"

namespace earl {

/// `earl run --tool ./mine.so:ARGUMENT`. Its argument is that of debug/outside/use.hpp. Not among
/// tools(), which users name.
extern Tool const outside_tool;
/// The same for a library with a half in EXEC (earl/job_tool.h).
extern Tool const outside_job_tool;

inline bool is_outside_tool(std::string_view name) {
  return name == outside_tool.name || name == outside_job_tool.name;
}

}  // namespace earl
