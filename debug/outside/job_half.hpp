// SPDX-License-Identifier: BSD-3-Clause
/// The process that runs a tool's half in EXEC.
#pragma once

#include <sys/types.h>

#include "debug/outside/use.hpp"
#include "generic/seams/tool.hpp"
#include "generic/system/descriptor.hpp"

namespace earl::outside {

/// In a child of EXEC, whose pid is `parent`: makes the tool's object and calls it for each packet
/// from `line`. Ends the process.
[[noreturn]] void run_job_half(Use const& use, JobInfo const& job, Descriptor line, pid_t parent);

}  // namespace earl::outside
