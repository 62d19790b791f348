// SPDX-License-Identifier: BSD-3-Clause
/// The debuggers this Earl was built with, one row per folder.
#pragma once

#include <span>
#include <string_view>

#include "generic/seams/tool.hpp"

namespace earl {

std::span<Tool const* const> tools();
/// Also outside_tool. Null: no such debugger in this build.
Tool const* find_tool(std::string_view name);

}  // namespace earl
