// SPDX-License-Identifier: BSD-3-Clause
#include "debug/registry.hpp"

#include "debug/breakpoints/breakpoints.hpp"
#include "debug/contents/contents.hpp"
#include "debug/deadlock/deadlock.hpp"
#include "debug/empty/empty.hpp"
#include "debug/events/events.hpp"
#include "debug/outside/outside.hpp"
#include "debug/record/record.hpp"
#include "debug/replay/replay.hpp"
#include "debug/sends/sends.hpp"

namespace earl {

namespace {

constexpr Tool const* rows[] = {&record_tool, &replay_tool,   &deadlock_tool, &synchronous_tool,
                                &events_tool, &contents_tool, &break_tool,    &empty_tool};

}  // namespace

std::span<Tool const* const> tools() { return rows; }

Tool const* find_tool(std::string_view name) {
  for (auto const* row : tools())
    if (row->name == name) return row;
  return name == outside_tool.name ? &outside_tool : nullptr;
}

}  // namespace earl
