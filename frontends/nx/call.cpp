// SPDX-License-Identifier: BSD-3-Clause
#include "frontends/nx/call.hpp"

#include <unistd.h>

namespace earl::nx {

void fail_plainly(Process* process, char const* name, Error const& error) {
  if (process) {
    State& me = state_of(*process);
    process->end(
        1, fmt::format("(node {}, pid {}) {}: {}", me.cube().me(), me.pid(), name, error.what()));
  }
  // A forked child has no Process to ask.
  auto const line = fmt::format("{}: {}\n", name, error.what());
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(1);
}

}  // namespace earl::nx
