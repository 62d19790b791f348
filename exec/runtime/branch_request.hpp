// SPDX-License-Identifier: BSD-3-Clause
/// The words of a command and a shared process that is forked for each run
/// (exec/runtime/branch_server.hpp), in the packets of exec/runtime/control.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/runtime/tool_use.hpp"
#include "generic/base/wire.hpp"

namespace earl::control {

/// A run of a job that has been loaded and has not begun.
struct BranchRequest {
  std::vector<ToolUse> tools;      ///< in place of the job's own
  std::uint32_t milliseconds = 0;  ///< that it may take

  template <class Self, class Visit>
  static void fields(Self& self, Visit& visit) {
    visit(limited(self.tools, most_tools, "debuggers"), self.milliseconds);
  }
};

/// The exit code of a process that has made such a run. All but the first: what happened in the run
/// is to be ignored.
enum class BranchEnd : int {
  healthy = 0,     ///< each rank has ended with 0
  failed = 1,      ///< not so, or there was no room for it
  needs_exec = 2,  ///< a rank has asked for what EXEC alone can answer
};

}  // namespace earl::control
