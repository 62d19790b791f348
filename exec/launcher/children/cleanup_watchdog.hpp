// SPDX-License-Identifier: BSD-3-Clause
/// A small process that cleans up after EXEC was killed: it ends the forked children of nodes,
/// which the kernel does not notify of EXEC's death.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace earl::exec {

/// Starts it as the leader of a new process group, which the nodes are to join and which it kills,
/// itself included, when the calling thread has ended; before, all others that have the job's mark
/// (exec/launcher/children/mark.hpp). One process for a job of any size; it holds no descriptor
/// when this returns. Throws Error (Fault::full). 0: there was no room for it. `folder`, if any, is
/// removed at last.
pid_t start_cleanup_watchdog(std::string_view mark, std::string const& folder = {});

/// Whether that process is one, this EXEC's or another's, or keeps a back end's launcher: it cleans
/// up.
bool is_cleanup_watchdog(pid_t pid);

}  // namespace earl::exec
