// SPDX-License-Identifier: BSD-3-Clause
/// The place of a call as text, and gdb there.
#pragma once

#include <string>

#include "generic/seams/interceptor.hpp"

namespace earl::breakpoints {

/// Exit code of a job that ends where it was to stop.
inline constexpr int stopped_code = 84;

/// "crecv at racy.c:31 in get, called from racy.c:60 in main".
std::string place_text(Call const& call, DebuggedProcess const& process);

/// Has gdb look at this process, which has come to the place that `sentence` names; in
/// the process that runs under gdb already it is gdb's turn at once. Returns why that is not
/// possible; empty: gdb has been there and is gone.
std::string let_gdb_look(std::string const& sentence, DebuggedProcess const& process);

/// Returns when a debugger has attached itself to this process and lets it go on.
void wait_until_traced();

}  // namespace earl::breakpoints
