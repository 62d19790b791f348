// SPDX-License-Identifier: BSD-3-Clause
/// The debuggers this Earl was built with, one row per folder.
#pragma once

#include <span>
#include <string_view>

// The parts of a recording (its command, its contents as text), of symbolization (where an address
// comes from) and of a job's history that exec/ uses.
#include "debug/analyse/diff_report.hpp"
#include "debug/analyse/export.hpp"
#include "debug/analyse/messages.hpp"
#include "debug/analyse/profile.hpp"
#include "debug/analyse/races.hpp"
#include "debug/analyse/steer.hpp"
#include "debug/analyse/view.hpp"
#include "debug/events/reader.hpp"
#include "debug/outside/outside.hpp"
#include "debug/symbols/modules.hpp"
#include "debug/symbols/stacks.hpp"
#include "debug/trace/show.hpp"
#include "generic/seams/tool.hpp"

namespace earl {

std::span<Tool const* const> tools();
/// Also outside_tool. Null: no such debugger in this build.
Tool const* find_tool(std::string_view name);

}  // namespace earl
